import useSWR from "swr";
import { fetchApproval } from "../api/admin";

/**
 * The state of dual control. It is loaded again when the page gets the focus, and not at intervals, because each request
 * counts as activity and would keep the session of an absent administrator alive.
 */
export const useApproval = () => useSWR(["admin", "approval"], fetchApproval, { revalidateOnFocus: true });
