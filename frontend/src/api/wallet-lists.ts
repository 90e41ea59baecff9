import { useCallback, useEffect, useRef } from "react";
import useSWRInfinite from "swr/infinite";
import { api } from "./client";
import { useQuery } from "./hooks";
import type { Deposit, Wagering, Withdrawal } from "./wallet";

// What is shown of a player's money in and out. Data is loaded once and stays, so whoever changes
// something here says so, and what is on the screen is loaded again.

const listeners = new Set<() => void>();

/** To be called when a deposit or a withdrawal has changed. */
export function tellWalletChanged(): void {
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

type Page<T> = { entries: T[]; next: string | null };
type PageKey = readonly [path: string, cursor: string | null];
type PageQuery = { limit: number; cursor?: string };

const PAGE_SIZE = 10;

/** A list that is loaded page by page, newest first. */
function usePages<T>(path: string, fetchPage: (query: PageQuery) => Promise<Page<T>>) {
  const { data, error, isLoading, isValidating, size, setSize, mutate } = useSWRInfinite(
    (_, previous: Page<T> | null): PageKey | null => (previous !== null && previous.next === null ? null : [path, previous?.next ?? null]),
    ([, cursor]: PageKey) => fetchPage({ limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) }),
    { revalidateOnMount: true, revalidateFirstPage: false },
  );
  const reload = useCallback(() => void mutate(), [mutate]);
  useWalletChanges(reload);
  return {
    entries: data?.flatMap((page) => page.entries) ?? [],
    error: error as unknown,
    isLoadingFirst: isLoading && data === undefined,
    isLoading: isValidating,
    hasMore: data !== undefined && data.at(-1)?.next !== null,
    loadMore: () => void setSize(size + 1),
    reload,
  };
}

export type Pages<T> = Omit<ReturnType<typeof usePages>, "entries"> & { entries: T[] };

async function fetchDeposits(query: PageQuery): Promise<Page<Deposit>> {
  const { data, response } = await api.GET("/api/deposits", { params: { query } });
  return { entries: (data ?? []) as Deposit[], next: response.headers.get("Next-Cursor") };
}

async function fetchWithdrawals(query: PageQuery): Promise<Page<Withdrawal>> {
  const { data, response } = await api.GET("/api/withdraw-requests", { params: { query } });
  return { entries: (data ?? []) as Withdrawal[], next: response.headers.get("Next-Cursor") };
}

export const useDeposits = (): Pages<Deposit> => usePages("/api/deposits", fetchDeposits);
export const useWithdrawals = (): Pages<Withdrawal> => usePages("/api/withdraw-requests", fetchWithdrawals);

/** What can be withdrawn, and how far each deposit is wagered. */
export function useWagering() {
  const { data, error, mutate } = useQuery("/api/wagering", {}, { revalidateOnMount: true });
  const reload = useCallback(() => void mutate(), [mutate]);
  useWalletChanges(reload);
  return { wagering: data as Wagering | undefined, error: error as unknown, reload };
}
