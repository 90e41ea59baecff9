import { usePages } from "@/api/pages";
import { Button } from "@/components/button";
import { Skeleton } from "@/components/spinner";
import { EmptyState, ErrorState } from "@/components/states";
import type { GameRounds } from "./game-rounds";
import { PublicBetList } from "./public-bet-list";
import { fetchBets, isBetOn } from "./public-bets";
import { useFilled } from "./use-filled";

/** The bets with the highest profits of the last seven days. */
export default function HighWins({ game }: { game: GameRounds }) {
  const { gameType } = game;
  const pages = usePages(["bets", "high", gameType], (cursor) => fetchBets("high", gameType, cursor));
  const bets = pages.entries.filter((bet) => isBetOn(game, bet));
  useFilled(game, pages, bets.length);
  if (pages.error !== undefined)
    return <ErrorState title="The high wins could not be loaded" onRetry={() => void pages.reload()} />;
  if (pages.isLoadingFirst) return <Skeleton className="h-[480px]" />;
  if (bets.length === 0 && !pages.hasMore)
    return (
      <EmptyState title="No high wins yet">
        Wins with a profit of at least $5.00, of today and the six days before, appear here.
      </EmptyState>
    );
  return (
    <div className="grid gap-3">
      <p className="text-13 text-ink-3">
        Profits of at least $5.00, of today and the six days before (UTC), the highest first.
      </p>
      <PublicBetList game={game} caption="High wins, highest profit first" bets={bets} />
      {pages.hasMore && (
        <Button className="justify-self-start" loading={pages.isLoading} onClick={pages.loadMore}>
          More
        </Button>
      )}
    </div>
  );
}
