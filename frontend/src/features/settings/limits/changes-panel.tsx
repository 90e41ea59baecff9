import type { Pages } from "@/api/pages";
import { Button, EmptyState, ErrorState, Panel, Skeleton } from "@/components";
import { formatDateTime } from "@/lib/format";
import { KIND_NAMES, limitValueText, PER_PERIOD } from "@/lib/limit-texts";
import type { LimitChange } from "./api";

/** "Deposit limit a day set to $50.00 (before: $100.00)". */
export function changeText({ kind, period, action, oldValue, newValue }: LimitChange): string {
  const name = `${KIND_NAMES[kind]} ${PER_PERIOD[period]}`;
  const text = (value: string | null | undefined) => (value == null ? null : limitValueText(kind, value));
  const [before, after] = [text(oldValue), text(newValue)];
  const old = before === null ? "" : ` (before: ${before})`;
  switch (action) {
    case "set":
      return `${name} set to ${after}${old}`;
    case "requested":
      return after === null
        ? `Removal of the ${name.toLowerCase()} requested${old}`
        : `${name}: raise to ${after} requested${old}`;
    case "confirmed":
      return after === null ? `${name} removed${old}` : `${name} raised to ${after}${old}`;
    case "withdrawn":
      return `${name}: request withdrawn, ${after ?? before ?? "no limit"} stays`;
  }
}

/** Every change of a limit, newest first. */
export function ChangesPanel({ changes }: { changes: Pages<LimitChange> }) {
  const { entries, error, isLoadingFirst, isLoading, hasMore, loadMore, reload } = changes;
  const hasFailed = error !== undefined;
  return (
    <Panel title="History of your limits">
      {hasFailed ? (
        <ErrorState title="The history could not be loaded" onRetry={() => void reload()} />
      ) : isLoadingFirst ? (
        <Skeleton className="h-[80px]" />
      ) : entries.length === 0 ? (
        <EmptyState title="No changes yet">Every limit that you set, raise, lower or remove is listed here.</EmptyState>
      ) : (
        <ul aria-label="Changes of your limits, newest first" className="divide-y divide-line">
          {entries.map((change) => (
            <li
              key={change.id}
              className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 py-2.5 text-14 first:pt-0 last:pb-0"
            >
              <span>{changeText(change)}</span>
              <time dateTime={change.at} className="text-13 text-ink-3">
                {formatDateTime(change.at)}
              </time>
            </li>
          ))}
        </ul>
      )}
      {hasMore && !hasFailed && (
        <Button className="mt-4" loading={isLoading} onClick={loadMore} aria-label="Load more changes">
          Load more
        </Button>
      )}
    </Panel>
  );
}
