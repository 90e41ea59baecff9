import { useCallback } from "react";
import useSWRInfinite from "swr/infinite";

// Lists that are loaded page by page: the header of each page says where the next one begins.

export type Page<T> = { entries: T[]; next: string | null };
type PageKey<S extends readonly unknown[]> = readonly [...S, cursor: string | null];

/** A page as the server answers with it. */
export function pageOf<T>({ data, response }: { data?: T[]; response: Response }): Page<T> {
  return { entries: data ?? [], next: response.headers.get("Next-Cursor") };
}

/** What to ask a page by: its place, and how many entries it has. */
export const pageQuery = (limit: number, cursor: string | null) => ({ limit, ...(cursor === null ? {} : { cursor }) });

/** The key of the page after `previous`, of the list that `scope` names; null after the last one. */
export function nextKey<S extends readonly unknown[]>(scope: S, previous: Page<unknown> | null): PageKey<S> | null {
  if (previous !== null && previous.next === null) return null;
  return [...scope, previous?.next ?? null];
}

/** The list that `scope` names, page by page. */
export function usePages<T>(scope: readonly unknown[], fetchPage: (cursor: string | null) => Promise<Page<T>>) {
  const { data, error, isLoading, isValidating, size, setSize, mutate } = useSWRInfinite(
    (_, previous: Page<T> | null) => nextKey(scope, previous),
    (key: readonly unknown[]) => fetchPage(key.at(-1) as string | null),
    // What has changed meanwhile is shown when the list is opened again.
    { revalidateOnMount: true, revalidateFirstPage: false },
  );
  return {
    entries: data?.flatMap((page) => page.entries) ?? [],
    error: error as unknown,
    isLoadingFirst: isLoading,
    isLoading: isValidating,
    hasMore: data !== undefined && data.at(-1)?.next !== null,
    size,
    loadMore: useCallback(() => void setSize(size + 1), [setSize, size]),
    reload: useCallback(async () => void (await mutate()), [mutate]),
    /** Puts what a call answered in the place of what it changed: nothing moves under one's hand. */
    replace: useCallback(
      (isSame: (entry: T) => boolean, entry: T) =>
        void mutate(
          (pages) =>
            pages?.map((page) => ({ ...page, entries: page.entries.map((known) => (isSame(known) ? entry : known)) })),
          { revalidate: false },
        ),
      [mutate],
    ),
  };
}

export type Pages<T> = ReturnType<typeof usePages<T>>;
