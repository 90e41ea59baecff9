import type { ReactNode } from "react";
import type { Pages } from "@/api/pages";
import { Button, EmptyState, ErrorState, Panel, Skeleton, Table, TableHead } from "@/components";

/** A column heading; `isHidden` leaves it to screen readers. */
export type RecordColumn = { name: string; className?: string; isHidden?: boolean };

type RecordListProps<T> = {
  title: string;
  pages: Pages<T>;
  emptyTitle: string;
  empty: ReactNode;
  errorTitle: string;
  columns: readonly RecordColumn[];
  /** The row of an entry. */
  children: (entry: T) => ReactNode;
};

/** One of the player's lists in all of its states, with a button for older entries. */
export function RecordList<T>({ title, pages, emptyTitle, empty, errorTitle, columns, children }: RecordListProps<T>) {
  const { entries, error, isLoadingFirst, isLoading, hasMore, loadMore, reload } = pages;
  const refresh = (
    <Button
      size="small"
      variant="ghost"
      loading={isLoading && !isLoadingFirst}
      onClick={reload}
      aria-label={`Refresh ${title.toLowerCase()}`}
    >
      Refresh
    </Button>
  );
  return (
    <Panel title={title} actions={refresh}>
      {error !== undefined ? (
        <ErrorState title={errorTitle} onRetry={reload} />
      ) : isLoadingFirst ? (
        <Skeleton className="h-[160px]" />
      ) : entries.length === 0 ? (
        <EmptyState title={emptyTitle}>{empty}</EmptyState>
      ) : (
        <div className="grid gap-3">
          <Table>
            <caption className="sr-only">{title}</caption>
            <thead>
              <tr>
                {columns.map(({ name, className, isHidden }) => (
                  <TableHead key={name} className={className}>
                    {isHidden ? <span className="sr-only">{name}</span> : name}
                  </TableHead>
                ))}
              </tr>
            </thead>
            <tbody>{entries.map((entry) => children(entry))}</tbody>
          </Table>
          {hasMore && (
            <Button
              className="justify-self-start"
              loading={isLoading}
              onClick={loadMore}
              aria-label={`Load more ${title.toLowerCase()}`}
            >
              Load more
            </Button>
          )}
        </div>
      )}
    </Panel>
  );
}

/** An additional fact on a line of its own. */
export function Note({ children }: { children: ReactNode }) {
  return <span className="block text-13 text-ink-3">{children}</span>;
}
