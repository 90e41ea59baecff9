import { useEffect } from "react";
import { api } from "@/api/client";
import { nextKey, type Page, pageOf, pageQuery, usePages } from "@/api/pages";
import type { GameHistoryEntry, GameType } from "./api";

export type HistoryFilter = { gameType?: GameType | undefined; search?: string | undefined };

const PAGE_SIZE = 50;
/**
 * Each page of a search covers a limited stretch of history; this many are loaded automatically before the user has to
 * ask for more.
 */
const AUTOMATIC_PAGES = 8;

const scopeOf = (filter: HistoryFilter) => ["history", filter] as const;

/** The key of the page after `previous`; null after the last one. */
export const nextPageKey = (filter: HistoryFilter, previous: Page<GameHistoryEntry> | null) =>
  nextKey(scopeOf(filter), previous);

/** A page of the player's settled rounds, newest first. */
export async function fetchHistoryPage(
  { gameType, search }: HistoryFilter,
  cursor: string | null,
): Promise<Page<GameHistoryEntry>> {
  const query = { ...pageQuery(PAGE_SIZE, cursor), ...(gameType ? { gameType } : {}), ...(search ? { search } : {}) };
  return pageOf(await api.GET("/api/game-history", { params: { query } }));
}

/** The player's history, page by page; the server filters and searches. */
export function useHistoryPages(filter: HistoryFilter) {
  const { entries, error, isLoadingFirst, isLoading, hasMore, size, loadMore, reload } = usePages(
    scopeOf(filter),
    (cursor) => fetchHistoryPage(filter, cursor),
  );
  const isShort = entries.length < PAGE_SIZE && hasMore && size < AUTOMATIC_PAGES;
  useEffect(() => {
    if (isShort && !isLoading) loadMore();
  }, [isShort, isLoading, loadMore]);
  return {
    entries,
    error,
    isLoadingFirst: isLoadingFirst || (entries.length === 0 && isShort),
    isLoadingMore: isLoading && !isLoadingFirst,
    hasMore,
    loadMore,
    reload,
  };
}

export type HistoryPages = ReturnType<typeof useHistoryPages>;
