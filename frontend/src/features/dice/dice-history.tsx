import { HistoryList } from "@/components/history-list";
import { useHistoryPages } from "@/api/history-pages";
import { EmptyState, ErrorState, Panel, Skeleton } from "@/components";

/** The player's own rolls, newest first. */
export function DiceHistory({ onVerifyRound }: { onVerifyRound(id: number): void }) {
  const history = useHistoryPages({ gameType: "dice" });
  if (history.error !== undefined) return <ErrorState title="Failed to fetch game history" onRetry={history.reload} />;
  if (history.isLoadingFirst) return <Skeleton className="h-[240px]" />;
  if (history.entries.length === 0) return <EmptyState title="No rolls yet">Place a bet and it appears here.</EmptyState>;
  return (
    <Panel>
      <HistoryList history={history} onVerifyRound={onVerifyRound} caption={`Showing ${history.entries.length} of your rolls`} />
    </Panel>
  );
}
