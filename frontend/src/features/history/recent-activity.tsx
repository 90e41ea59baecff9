import { useEffect } from "react";
import { useQuery } from "@/api/hooks";
import { Badge, ErrorState, LinkButton, Panel, Skeleton } from "@/components";
import { gameTypeLabel } from "@/games/registry";
import { isWin } from "@/games/rounds/game-rounds";
import { formatDateTime } from "@/lib/format";
import { centsOf, formatDollars } from "@/lib/money";

type RecentActivityProps = {
  /** The round that ended while this is shown; null if none did. */
  endedRoundId: number | null;
};

/** The latest entries, with a link to the whole history. */
export function RecentActivity({ endedRoundId }: RecentActivityProps) {
  const { data, error, mutate } = useQuery("/api/game-history", { params: { query: { limit: 1 } } });
  useEffect(() => {
    if (endedRoundId !== null) void mutate();
  }, [endedRoundId, mutate]);
  return (
    <Panel
      title="Recent Activity"
      actions={
        <LinkButton to="/history" variant="ghost" size="small">
          View all
        </LinkButton>
      }
    >
      {error ? (
        <ErrorState title="Failed to fetch game history" onRetry={() => void mutate()} />
      ) : data === undefined ? (
        <Skeleton className="h-11" />
      ) : data[0] === undefined ? (
        <p className="text-14 text-ink-2">You haven't played any games yet</p>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div>
            <p className="text-16 font-semibold">{gameTypeLabel(data[0].gameType)}</p>
            <p className="text-13 text-ink-3">{formatDateTime(data[0].createdAt)}</p>
          </div>
          <div className="flex items-center gap-4 text-14">
            <span className="text-ink-2">Bet {formatDollars(centsOf(data[0].betAmount))}</span>
            <Badge tone={isWin(data[0]) ? "win" : "neutral"}>{data[0].outcome}</Badge>
            <span>Win {formatDollars(centsOf(data[0].winAmount))}</span>
          </div>
        </div>
      )}
    </Panel>
  );
}
