import { useQuery } from "@/api/hooks";
import { ErrorState, Skeleton } from "@/components";
import { GAMES, gameTypesOf } from "@/games/registry";
import { Exports } from "./exports";
import { GameTotals } from "./game-totals";
import { NothingYet } from "./nothing-yet";
import { ProfitPanel } from "./profit-panel";
import { Statements } from "./statements";

/** The player's results: over time, by game, and day by day. */
export function StatisticsView() {
  const { data, error, mutate } = useQuery("/api/statistics");
  if (error !== undefined && data === undefined)
    return <ErrorState title="Your statistics could not be loaded" onRetry={() => void mutate()} />;
  if (data === undefined) return <Skeleton className="h-[420px]" />;
  // Also games that cannot be played any more.
  const played = gameTypesOf(GAMES).filter(({ value }) => data.games.some(({ gameType }) => gameType === value));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {data.totalGames === 0 ? (
        <NothingYet />
      ) : (
        <>
          <ProfitPanel games={played} />
          <GameTotals statistics={data} />
        </>
      )}
      <Statements />
      <Exports games={played} />
    </div>
  );
}
