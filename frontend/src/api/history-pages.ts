import { useCallback, useEffect } from "react";
import useSWRInfinite from "swr/infinite";
import { api } from "./client";
import type { GameHistoryEntry, GameType } from "./types";

export type HistoryFilter = { gameType?: GameType | undefined; search?: string | undefined };
type Page = { entries: GameHistoryEntry[]; next: string | null };

const PAGE_SIZE = 50;
/** A search looks at a stretch of history a page; so many are followed up before a person decides. */
const AUTOMATIC_PAGES = 8;

/** The page to load after `previous`; null after the last one. */
export function nextPageKey(filter: HistoryFilter, previous: Page | null): readonly ["history", HistoryFilter, string | null] | null {
  if (previous !== null && previous.next === null) return null;
  return ["history", filter, previous?.next ?? null];
}

async function fetchPage([, filter, cursor]: readonly ["history", HistoryFilter, string | null]): Promise<Page> {
  const query = {
    limit: PAGE_SIZE,
    ...(cursor === null ? {} : { cursor }),
    ...(filter.gameType ? { gameType: filter.gameType } : {}),
    ...(filter.search ? { search: filter.search } : {}),
  };
  const { data, response } = await api.GET("/api/game-history", { params: { query } });
  return { entries: data ?? [], next: response.headers.get("Next-Cursor") };
}

/** The player's history, page by page; filter and search are the server's work. */
export function useHistoryPages(filter: HistoryFilter) {
  const { data, error, isLoading, isValidating, size, setSize, mutate } = useSWRInfinite(
    (_, previous: Page | null) => nextPageKey(filter, previous),
    fetchPage,
    // What was played meanwhile is shown when the list is opened again.
    { revalidateOnMount: true, revalidateFirstPage: false },
  );
  const entries = data?.flatMap((page) => page.entries) ?? [];
  const hasMore = data !== undefined && data.at(-1)?.next !== null;
  const isShort = entries.length < PAGE_SIZE && hasMore;
  useEffect(() => {
    if (isShort && !isValidating && size < AUTOMATIC_PAGES) void setSize(size + 1);
  }, [isShort, isValidating, size, setSize]);
  const loadMore = useCallback(() => void setSize(size + 1), [setSize, size]);
  return {
    entries,
    error: error as unknown,
    isLoadingFirst: isLoading || (entries.length === 0 && isShort && size < AUTOMATIC_PAGES),
    isLoadingMore: isValidating && data !== undefined,
    hasMore,
    loadMore,
    reload: () => void mutate(),
  };
}

export type HistoryPages = ReturnType<typeof useHistoryPages>;
