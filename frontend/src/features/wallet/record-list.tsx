import type { ReactNode } from "react";
import type { Pages } from "@/api/pages";
import { Button, EmptyState, ErrorState, Panel, Skeleton } from "@/components";

type RecordListProps<T> = {
  title: string;
  pages: Pages<T>;
  emptyTitle: string;
  empty: ReactNode;
  errorTitle: string;
  children: (entries: T[]) => ReactNode;
};

/** One of the player's lists in all of its states, with a button for older entries. */
export function RecordList<T>({ title, pages, emptyTitle, empty, errorTitle, children }: RecordListProps<T>) {
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
          {children(entries)}
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
