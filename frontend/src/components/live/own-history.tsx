import { useHistoryPages } from "@/api/history-pages";
import type { GameType } from "@/api/types";
import { HistoryList } from "../history-list";
import { Panel } from "../panel";
import { Skeleton } from "../spinner";
import { EmptyState, ErrorState } from "../states";

/** The player's own rounds of one game, newest first. */
export function OwnHistory({ gameType, onVerifyRound }: { gameType: GameType; onVerifyRound(id: number): void }) {
  const history = useHistoryPages({ gameType });
  if (history.error !== undefined) return <ErrorState title="Failed to fetch game history" onRetry={history.reload} />;
  if (history.isLoadingFirst) return <Skeleton className="h-[240px]" />;
  if (history.entries.length === 0) return <EmptyState title="No rounds yet">Place a bet and it appears here.</EmptyState>;
  return (
    <Panel>
      <HistoryList history={history} onVerifyRound={onVerifyRound} caption={`Showing ${history.entries.length} of your rounds`} />
    </Panel>
  );
}
