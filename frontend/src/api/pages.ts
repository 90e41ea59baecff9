import { useCallback, useEffect, useRef } from "react";
import useSWRInfinite from "swr/infinite";

// Paginated lists: a header of each page holds the cursor of the next one.

export type Page<T> = { entries: T[]; next: string | null };
type PageKey<S extends readonly unknown[]> = readonly [...S, cursor: string | null];

/** A page as returned by the server. */
export function pageOf<T>({ data, response }: { data?: T[]; response: Response }): Page<T> {
  return { entries: data ?? [], next: response.headers.get("Next-Cursor") };
}

/** The query parameters of a page. */
export const pageQuery = (limit: number, cursor: string | null) => ({ limit, ...(cursor === null ? {} : { cursor }) });

/** The SWR key of the page after `previous` in the list named by `scope`; null after the last page. */
export function nextKey<S extends readonly unknown[]>(scope: S, previous: Page<unknown> | null): PageKey<S> | null {
  if (previous !== null && previous.next === null) return null;
  return [...scope, previous?.next ?? null];
}

/** The list named by `scope`, page by page; nothing is loaded while it is null. */
export function usePages<T>(scope: readonly unknown[] | null, fetchPage: (cursor: string | null) => Promise<Page<T>>) {
  const { data, error, isLoading, isValidating, size, setSize, mutate } = useSWRInfinite(
    (_, previous: Page<T> | null) => scope && nextKey(scope, previous),
    (key: readonly unknown[]) => fetchPage(key.at(-1) as string | null),
    { revalidateIfStale: false, revalidateFirstPage: false },
  );
  const latest = useRef({ data, isValidating });
  useEffect(() => void (latest.current = { data, isValidating }));
  // Opening a list again reloads it, and so does choosing a filter again, with which `mutate` changes. SWR's
  // `revalidateOnMount` is forgotten if the component is rendered again before the next frame, and fetches nothing if
  // the list was loaded within two seconds.
  useEffect(() => {
    if (latest.current.data) void mutate();
  }, [mutate]);
  return {
    entries: data?.flatMap((page) => page.entries) ?? [],
    error: error as unknown,
    isLoadingFirst: isLoading,
    isLoading: isValidating,
    hasMore: data !== undefined && data.at(-1)?.next !== null,
    size,
    loadMore: useCallback(() => void setSize(size + 1), [setSize, size]),
    reload: useCallback(async () => void (await mutate()), [mutate]),
    /** Replaces an entry with the response of the request that changed it, so that no row moves under the pointer. */
    replace: useCallback(
      (isSame: (entry: T) => boolean, entry: T) => {
        // SWR ignores an answer that is on its way then, because it may be older than the entry. So the list is
        // requested again.
        const asksAgain = latest.current.isValidating;
        const replaced = mutate(
          (pages) =>
            pages?.map((page) => ({ ...page, entries: page.entries.map((known) => (isSame(known) ? entry : known)) })),
          { revalidate: false },
        );
        if (asksAgain) void replaced.then(() => mutate());
      },
      [mutate],
    ),
  };
}

export type Pages<T> = ReturnType<typeof usePages<T>>;
