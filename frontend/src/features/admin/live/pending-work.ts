// What waits for a decision: the badges of the navigation, and what tells the lists that something has changed.

import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import useSWR, { useSWRConfig } from "swr";
import { useUser } from "@/api/session";
import { toast } from "@/components";
import { toastStore } from "@/components/toast-store";
import { counted } from "@/lib/format";
import { fetchPendingWork, type PendingWork } from "../api/admin";
import { useIsPresent } from "./presence";

/** The kinds of work that wait for somebody, as the server names their counts. */
export type WaitingKind =
  | "pendingWithdrawals"
  | "failedPayouts"
  | "openReviews"
  | "openProposals"
  | "unacknowledgedAlerts";

const KEY = ["admin", "pending-work"] as const;
/** How often it is looked up while somebody looks at the page. */
export const POLL_MS = 5000;

let lookedAtMs: number | null = null;
const listeners = new Set<() => void>();

async function look(): Promise<PendingWork> {
  const work = await fetchPendingWork();
  lookedAtMs = Date.now();
  for (const listener of listeners) listener();
  return work;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** When it was last looked up; apart from the data, so that a look that finds nothing new renders no list. */
export const useLookedAt = (): number | null => useSyncExternalStore(subscribe, () => lookedAtMs);

/**
 * What waits now. It is polled while the page is visible and somebody is there: a change reloads the list that is shown,
 * which the server counts as activity, so that an absent administrator's session would stay open.
 */
export function usePendingWork() {
  const isPresent = useIsPresent();
  const user = useUser();
  return useSWR(user?.isAdmin === true ? KEY : null, look, {
    refreshInterval: isPresent ? POLL_MS : 0,
    refreshWhenHidden: false,
    revalidateOnFocus: true,
    // Several parts of a screen show it.
    dedupingInterval: 1000,
  });
}

/** Looks up at once what waits, after a decision. */
export function useRefreshPending(): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => void mutate(KEY), [mutate]);
}

const NEW_REQUEST = "New withdrawal request";

/** What is said about a request that has come since the last look; empty if none has. */
export function newsOf(before: PendingWork, now: PendingWork): string {
  const { newestWithdrawalId: newest, pendingWithdrawals: count } = now;
  if (newest === null || newest <= (before.newestWithdrawalId ?? 0)) return "";
  return `Request ${newest}. ${counted(count, "request waits", "requests wait")} for a decision.`;
}

/**
 * Announces new withdrawal requests, each once: with a toast, and with the returned text of a live region. A toast that
 * is being read is not replaced.
 */
export function useWithdrawalNews(): string {
  const { data } = usePendingWork();
  const [last, setLast] = useState<PendingWork>();
  const [news, setNews] = useState("");
  if (data !== undefined && data !== last) {
    const text = last === undefined ? "" : newsOf(last, data);
    setLast(data);
    if (text !== "") setNews(text);
  }
  useEffect(() => {
    const isReading = toastStore.current().some(({ isOpen }) => isOpen);
    if (news !== "" && !isReading) toast({ title: NEW_REQUEST, description: news });
  }, [news]);
  return news === "" ? "" : `${NEW_REQUEST}. ${news}`;
}

/** "3 waiting", for the name of a tab. */
export const waitingText = (count: number): string => counted(count, "waiting", "waiting");

/** What tells a list of the panel that it has changed. */
export const signalsOf = (work: PendingWork | undefined) =>
  work && {
    withdrawals: {
      count: work.pendingWithdrawals,
      newestId: work.newestWithdrawalId ?? 0,
      others: `${work.payoutsToSend} ${work.failedPayouts}`,
    },
    reviews: { count: work.openReviews, newestId: work.newestReviewId ?? 0 },
    proposals: { count: work.openProposals, newestId: work.newestProposalId ?? 0 },
    alerts: { count: work.unacknowledgedAlerts, newestId: work.newestAlertId ?? 0 },
  };
