import { useCallback, useEffect, useRef } from "react";
import { api } from "@/api/client";
import { useQuery } from "@/api/hooks";
import { type Page, pageOf, pageQuery, type Pages, usePages } from "@/api/pages";

// The player's wallet lists. They are not revalidated automatically, so changes must be announced here.

const listeners = new Set<() => void>();

/** Call this when a deposit or a withdrawal has changed. */
export function notifyWalletChanged(): void {
  for (const listener of listeners) listener();
}

function useWalletChanges(reload: () => void): void {
  const latest = useRef(reload);
  useEffect(() => {
    latest.current = reload;
  });
  useEffect(() => {
    const listener = () => latest.current();
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}

const PAGE_SIZE = 10;

/** A list that reloads when the wallet has changed. */
function useRecords<T>(path: string, fetchPage: (cursor: string | null) => Promise<Page<T>>): Pages<T> {
  const pages = usePages([path], fetchPage);
  useWalletChanges(pages.reload);
  return pages;
}

const fetchDeposits = async (cursor: string | null) =>
  pageOf(await api.GET("/api/deposits", { params: { query: pageQuery(PAGE_SIZE, cursor) } }));
const fetchWithdrawals = async (cursor: string | null) =>
  pageOf(await api.GET("/api/withdraw-requests", { params: { query: pageQuery(PAGE_SIZE, cursor) } }));

export const useDeposits = () => useRecords("/api/deposits", fetchDeposits);
export const useWithdrawals = () => useRecords("/api/withdraw-requests", fetchWithdrawals);

/** What can be withdrawn, and how much of each deposit is wagered. */
export function useWagering() {
  const { data, error, mutate } = useQuery("/api/wagering");
  const reload = useCallback(() => void mutate(), [mutate]);
  useWalletChanges(reload);
  return { wagering: data, error: error as unknown, reload };
}
