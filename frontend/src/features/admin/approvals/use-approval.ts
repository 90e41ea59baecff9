import { useCallback } from "react";
import useSWR, { useSWRConfig } from "swr";
import { fetchApproval } from "../api/admin";
import { useRefreshPending } from "../live/pending-work";

const KEY = ["admin", "approval"] as const;

/** The state of dual control. It is loaded again when the page gets the focus. How many wait is looked up more often. */
export const useApproval = () => useSWR(KEY, fetchApproval, { revalidateOnFocus: true });

/** Looks up at once what waits for a decision, also for that of a second person, after a decision. */
export function useRefreshWaiting(): () => void {
  const { mutate } = useSWRConfig();
  const refreshPending = useRefreshPending();
  return useCallback(() => {
    refreshPending();
    void mutate(KEY);
  }, [mutate, refreshPending]);
}
