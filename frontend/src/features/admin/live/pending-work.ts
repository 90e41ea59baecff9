// What waits for a decision: the badges of the navigation, and what tells the lists that something has changed.

import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import useSWR, { useSWRConfig } from "swr";
import { useUser } from "@/api/session";
import { toast } from "@/components";
import { toastStore } from "@/components/toast-store";
import { counted } from "@/lib/format";
import { formatWire } from "@/lib/money";
import { type AdminWithdrawal, fetchPendingWork, type PendingWork } from "../api/admin";
import { useIsPresent } from "./presence";

/** The kinds of work that wait, each with how many there are. */
export type WaitingKind = "withdrawals" | "reviews" | "proposals";

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
 * What waits now. It is polled while the page is visible and somebody is there: the server counts each request as
 * activity, so that polling for an absent administrator would keep the session open.
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

/** The request that has come since the last look, of which `lastId` was the newest; null if there is none. */
export function newWithdrawal(lastId: number | null, now: PendingWork): AdminWithdrawal | null {
  const newest = now.newestWithdrawal;
  return lastId !== null && newest !== null && newest.id > lastId ? newest : null;
}

/**
 * Announces new withdrawal requests, each once. A toast that is being read is not replaced: then the badge shows it, and
 * the returned text of a live region says it.
 */
export function useWithdrawalNews(): string {
  const { data } = usePendingWork();
  const [lastId, setLastId] = useState<number | null>(null);
  const [news, setNews] = useState("");
  if (data !== undefined && (lastId === null || (data.newestWithdrawal?.id ?? 0) > lastId)) {
    const request = newWithdrawal(lastId, data);
    setLastId(data.newestWithdrawal?.id ?? 0);
    if (request !== null) setNews(`${request.user.username}, ${formatWire(request.amount)}, request ${request.id}`);
  }
  useEffect(() => {
    const isReading = toastStore.current().some(({ isOpen }) => isOpen);
    if (news !== "" && !isReading) toast({ title: NEW_REQUEST, description: news });
  }, [news]);
  return news === "" ? "" : `${NEW_REQUEST}: ${news}`;
}
const NEW_REQUEST = "New withdrawal request";

/** "3 waiting", for the name of a tab. */
export const waitingText = (count: number): string => counted(count, "waiting", "waiting");
