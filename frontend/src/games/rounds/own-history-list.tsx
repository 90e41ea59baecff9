import { EmptyState, ErrorState, Panel, Skeleton } from "@/components";
import type { GameRounds } from "./game-rounds";
import { HistoryList } from "./history-list";
import { useHistoryPages } from "./history-pages";

export type OwnHistoryProps = {
  game: GameRounds;
  /** What the game's rounds are called. */ noun?: string;
  onVerifyRound(id: number): void;
};

/** The player's own rounds of one game, newest first. */
export default function OwnHistoryList({ game, noun = "rounds", onVerifyRound }: OwnHistoryProps) {
  const history = useHistoryPages({ gameType: game.gameType });
  if (history.error !== undefined) return <ErrorState title="Failed to fetch game history" onRetry={history.reload} />;
  if (history.isLoadingFirst) return <Skeleton className="h-[240px]" />;
  if (history.entries.length === 0)
    return <EmptyState title={`No ${noun} yet`}>Place a bet and it appears here.</EmptyState>;
  return (
    <Panel>
      <HistoryList
        history={history}
        describe={(entry) => ({ game: game.typeLabel, detail: game.detailText(entry) })}
        onVerifyRound={onVerifyRound}
        caption={`Showing ${history.entries.length} of your ${noun}`}
      />
    </Panel>
  );
}
