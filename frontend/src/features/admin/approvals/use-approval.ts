import useSWR from "swr";
import { fetchApproval } from "../api/admin";

/** Proposals of others arrive while the panel is open. */
const REFRESH_MS = 30_000;

/** The state of dual control, kept current. */
export const useApproval = () => useSWR(["admin", "approval"], fetchApproval, { refreshInterval: REFRESH_MS });
