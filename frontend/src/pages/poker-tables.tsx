import { HeadsUpGame } from "@/features/heads-up";
import { PokerGame } from "@/features/poker";

type PokerTablesProps = { onVerifyRound(id: number): void; onOpenFairness(): void };

/** Both poker games, as the dashboard has them. */
export default function PokerTables(props: PokerTablesProps) {
  return (
    <div className="grid gap-6">
      <PokerGame {...props} />
      <HeadsUpGame {...props} />
    </div>
  );
}
