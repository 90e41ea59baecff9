// A list of the panel, as a table or on narrow screens as cards, with its states: loading, empty, failed, or with more
// pages.

import type { ReactNode } from "react";
import { errorMessage } from "@/api/client";
import type { Pages } from "@/api/pages";
import { Button, ErrorState, Skeleton, Table, TableCell, TableHead } from "@/components";
import { cn } from "@/lib/class-names";
import { counted } from "@/lib/format";

export type Column<T> = {
  name: string;
  cell(row: T): ReactNode;
  isNumber?: boolean;
  /** On a card, whether it has a line of its own. */
  isWide?: boolean;
  className?: string;
};

type RecordTableProps<T> = {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string | number;
};

// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- browsers drop the table roles if CSS changes the layout
export function RecordTable<T>({ label, columns, rows, keyOf }: RecordTableProps<T>) {
  return (
    <div className="@container">
      <Table role="table" aria-label={label} className="@max-[860px]:block">
        <thead role="rowgroup" className="@max-[860px]:sr-only">
          <tr role="row">
            {columns.map(({ name, isNumber }) => (
              <TableHead
                key={name}
                role="columnheader"
                className={cn("top-14 z-10 whitespace-nowrap", isNumber && "text-right")}
              >
                {name}
              </TableHead>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="@max-[860px]:block">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              role="row"
              data-record={keyOf(row)}
              tabIndex={-1}
              className="@max-[860px]:grid @max-[520px]:grid-cols-[0.85fr_1fr] @min-[520px]:@max-[860px]:grid-cols-4 @max-[860px]:gap-x-4 @max-[860px]:gap-y-3 @max-[860px]:border-t @max-[860px]:border-line @max-[860px]:py-4"
            >
              {columns.map(({ name, cell, isNumber, isWide, className }) => (
                <TableCell
                  key={name}
                  role="cell"
                  data-label={name}
                  className={cn(
                    "align-middle @min-[860px]:py-1.5 @max-[860px]:block @max-[860px]:min-w-0 @max-[860px]:border-t-0 @max-[860px]:p-0 @max-[860px]:before:mb-0.5 @max-[860px]:before:block @max-[860px]:before:text-12 @max-[860px]:before:text-ink-3 @max-[860px]:before:content-[attr(data-label)]",
                    isNumber && "@min-[860px]:text-right",
                    isWide && "@max-[860px]:col-span-2",
                    className,
                  )}
                >
                  {cell(row)}
                </TableCell>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

/**
 * Moves the focus to a record whose button is gone after a decision, or to the tab if the record is gone too. Otherwise
 * keyboard users would start over at the top of the page.
 */
export function focusRecord(key: string | number): void {
  // The closing dialog restores the focus first, if it can.
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const found = document.querySelector<HTMLElement>(`[data-record="${CSS.escape(String(key))}"]`);
    (found ?? document.querySelector<HTMLElement>("[role=tabpanel]"))?.focus({ preventScroll: true });
  }, FOCUS_DELAY_MS);
}
const FOCUS_DELAY_MS = 50;

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
