import useSWR from "swr";
import { fetchApproval } from "../api/admin";

/** The state of dual control. It is loaded again when the page gets the focus. How many wait is looked up more often. */
export const useApproval = () => useSWR(["admin", "approval"], fetchApproval, { revalidateOnFocus: true });
