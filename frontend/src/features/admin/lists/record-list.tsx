// A list of the panel with its states: loading, empty, failed, or with more pages.

import type { ReactNode } from "react";
import { errorMessage } from "@/api/client";
import type { Pages } from "@/api/pages";
import { Button, ErrorState, Skeleton } from "@/components";
import { counted } from "@/lib/format";

/**
 * Moves the focus to a record whose button is gone after a decision, or if the record is gone too, to the tab or to what
 * says how things stand. Otherwise keyboard users would start over at the top of the page.
 */
export function focusRecord(key: string | number): void {
  // The closing dialog restores the focus first, if it can.
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const found = document.querySelector<HTMLElement>(`[data-record="${CSS.escape(String(key))}"]`);
    (found ?? document.querySelector<HTMLElement>(FALLBACK))?.focus({ preventScroll: true });
  }, FOCUS_DELAY_MS);
}
const FOCUS_DELAY_MS = 50;
/** The record of how things stand, on the page of one thing. */
export const STANDING = "standing";
/** A page has one of them. */
const FALLBACK = `[role=tabpanel], [data-record=${STANDING}]`;

type RecordListProps<T> = {
  pages: Pages<T>;
  /** The rows' name in the plural. */
  noun: string;
  empty: ReactNode;
  /** If the list is shortened, the text that says so. */
  footer?: ReactNode;
  children(rows: readonly T[]): ReactNode;
};

/** A list with its states and a button for more. */
export function RecordList<T>({ pages, noun, empty, footer, children }: RecordListProps<T>) {
  const failure =
    pages.error === undefined ? undefined : errorMessage(pages.error, "Please check your connection and try again.");
  const retry = () => void pages.reload();
  if (failure !== undefined && pages.entries.length === 0)
    return <ErrorState title={`Error loading ${noun}`} description={failure} onRetry={retry} />;
  if (pages.isLoadingFirst) return <ListSkeleton label={`Loading ${noun}`} />;
  if (pages.entries.length === 0 && !pages.hasMore) return empty;
  return (
    <div className="grid gap-4">
      {children(pages.entries)}
      {footer ?? <ListFooter pages={pages} noun={noun} />}
      {failure !== undefined && <ErrorState title={`Error loading ${noun}`} description={failure} onRetry={retry} />}
    </div>
  );
}

function ListFooter<T>({ pages, noun }: { pages: Pages<T>; noun: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {pages.hasMore && (
        <Button loading={pages.isLoading} onClick={pages.loadMore}>
          Load more
        </Button>
      )}
      <p role="status" className="text-13 text-ink-3">
        {extentOf(pages.entries.length, pages.hasMore, noun)}
      </p>
    </div>
  );
}

/** How many entries are shown; plural nouns end in an s. */
function extentOf(count: number, hasMore: boolean, noun: string): string {
  if (count === 1 && !hasMore) return `Showing ${counted(1, noun.slice(0, -1))}`;
  return `Showing ${hasMore ? "the first" : "all"} ${counted(count, noun.slice(0, -1), noun)}`;
}

export function ListSkeleton({ label }: { label: string }) {
  return (
    <div className="grid gap-2">
      <p role="status" className="sr-only">
        {label}
      </p>
      <Skeleton className="h-10" />
      <Skeleton className="h-[320px]" />
    </div>
  );
}

export { type Column, RecordTable } from "./record-table";
