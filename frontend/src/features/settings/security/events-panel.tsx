import type { Pages } from "@/api/pages";
import { Button, EmptyState, ErrorState, Panel, Skeleton } from "@/components";
import { SecurityEventList } from "@/components/security-event-list";
import type { SecurityEvent } from "./api";

/** What happened to the access to the account. */
export function EventsPanel({ events }: { events: Pages<SecurityEvent> }) {
  const { entries, error, isLoadingFirst, isLoading, hasMore, loadMore, reload } = events;
  const hasFailed = error !== undefined;
  return (
    <Panel title="Security events">
      <div className="grid gap-4">
        {hasFailed && entries.length === 0 ? (
          <ErrorState title="The security events could not be loaded" onRetry={() => void reload()} />
        ) : isLoadingFirst ? (
          <Skeleton className="h-[200px]" />
        ) : entries.length === 0 ? (
          <EmptyState title="No security events yet">
            Sign-ins, refused attempts and changes of your password are listed here for a year.
          </EmptyState>
        ) : (
          <>
            <p className="text-pretty text-13 text-ink-3">
              The last year, newest first. If you see something that was not you, change your password.
            </p>
            <SecurityEventList label="Security events, newest first" events={entries} />
          </>
        )}
        {hasFailed && entries.length > 0 && (
          <ErrorState title="Older security events could not be loaded" onRetry={() => void reload()} />
        )}
        {hasMore && !hasFailed && (
          <Button
            className="justify-self-start"
            loading={isLoading}
            onClick={loadMore}
            aria-label="Load more security events"
          >
            Load more
          </Button>
        )}
      </div>
    </Panel>
  );
}
