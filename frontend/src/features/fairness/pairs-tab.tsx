import { fetchPairs } from "@/api/trust/calls";
import type { FormerPair } from "@/api/trust/wire";
import { usePages } from "@/api/pages";
import { Badge, Button, EmptyState, ErrorState, HashLine, Skeleton } from "@/components";
import { formatDateTime } from "@/lib/format";

const SCOPE = ["fairness-pairs"] as const;

/** The revealed pairs, newest first. */
export function PairsTab() {
  const { entries, error, isLoadingFirst, isLoading, hasMore, loadMore, reload } = usePages<FormerPair>(
    SCOPE,
    fetchPairs,
  );
  if (isLoadingFirst) return <Skeleton className="h-[560px]" />;
  if (entries.length === 0 && error !== undefined)
    return <ErrorState title="The former pairs could not be loaded" onRetry={() => void reload()} />;
  if (entries.length === 0)
    return <EmptyState title="No former pairs yet">A pair is listed here once you have rotated your seeds.</EmptyState>;
  return (
    <div className="grid gap-4">
      <ol aria-label="Former seed pairs, newest first" className="grid gap-5">
        {entries.map((pair) => (
          <Pair key={pair.serverSeedHash} pair={pair} />
        ))}
      </ol>
      {error !== undefined && <ErrorState title="More pairs could not be loaded" onRetry={() => void reload()} />}
      {hasMore && (
        <Button className="justify-self-start" loading={isLoading} onClick={loadMore}>
          Load more
        </Button>
      )}
    </div>
  );
}

function Pair({ pair }: { pair: FormerPair }) {
  const { serverSeed, serverSeedHash, clientSeed, clientSeedBy, rounds, activatedAt, revealedAt } = pair;
  return (
    <li className="grid gap-2 border-t border-line pt-4 first:border-t-0 first:pt-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-14">
        <strong>
          {rounds} {rounds === 1 ? "round" : "rounds"}
        </strong>
        <span className="text-13 text-ink-3">
          {formatDateTime(activatedAt)} to {formatDateTime(revealedAt)}
        </span>
        {clientSeedBy === "house" && <Badge tone="notice">Client seed by the house</Badge>}
      </p>
      <HashLine label="Server seed" value={serverSeed} />
      <HashLine label="Server seed hash" value={serverSeedHash} />
      <HashLine label="Client seed" value={clientSeed} />
    </li>
  );
}
