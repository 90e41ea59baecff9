import { Badge, type ResultChip, ResultChips } from "@/components";
import { cn } from "@/lib/class-names";
import { centsOf, formatDollars } from "@/lib/money";
import { rankWords } from "./fairness";
import { HandRow } from "./hand-row";
import { PayoutTable } from "./payout-table";
import type { GameState } from "./state";

type PokerStageProps = {
  state: GameState;
  chips: ResultChip[];
  /** Whether the payout table is open, and its ID. */
  payouts: { isOpen: boolean; id: string };
  onToggle(index: number): void;
  onVerifyRound(id: number): void;
};

/** The table: the latest results, the cards, the instructions, and the result. */
export function PokerStage({ state, chips, payouts, onToggle, onVerifyRound }: PokerStageProps) {
  const { stage, hand } = state;
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] bg-well p-2 sm:p-4 lg:min-h-[480px] lg:grid-rows-[auto_auto_1fr]">
      {/* On a phone the cards come first. */}
      <div className="min-w-0 max-lg:order-last">
        <ResultChips label="Last hands" results={chips} onSelect={onVerifyRound} />
      </div>
      <div id={payouts.id}>
        {payouts.isOpen && (
          <PayoutTable
            current={hand?.handRank ?? null}
            className="mx-auto my-3 w-full max-w-[640px] rounded-control bg-panel p-3"
          />
        )}
      </div>
      <div className="grid content-center gap-3 py-2 lg:gap-4 lg:py-4">
        <HandRow state={state} onToggle={onToggle} />
        <StatusPill state={state} />
        <div data-testid="result" className="min-h-[52px]">
          {stage === "RESULT" && hand && <ResultBanner isWin={hand.isWin} winAmount={hand.winAmount} />}
        </div>
      </div>
    </div>
  );
}

const NO_WIN = "No win this time. Try again!";

/** The message, or after a win the hand and its payout. It does not repeat the banner. */
function StatusPill({ state: { stage, hand, message } }: { state: GameState }) {
  const isWin = stage === "RESULT" && hand?.isWin === true;
  return (
    <p
      data-testid="status"
      className="mx-auto flex min-h-[48px] max-w-full items-center gap-3 rounded-[24px] border border-line bg-panel px-5 py-1.5 text-center text-14 text-ink"
    >
      {isWin ? (
        <>
          <strong className="display text-16 sm:text-20">{rankWords(hand.handRank)}</strong>
          <Badge tone="brass" className="text-14 font-bold">
            {hand.multiplier}x
          </Badge>
        </>
      ) : message === NO_WIN ? (
        "Less than a pair of Jacks"
      ) : (
        message
      )}
    </p>
  );
}

function ResultBanner({ isWin, winAmount }: { isWin: boolean; winAmount: string }) {
  return (
    <p
      className={cn(
        "mx-auto max-w-[640px] rounded-control border px-4 py-3 text-center font-semibold",
        isWin
          ? "animate-[flash_400ms_var(--ease-house)] border-win text-20 text-win"
          : "border-line text-16 text-ink-2",
      )}
    >
      {isWin ? `You won ${formatDollars(centsOf(winAmount))}` : NO_WIN}
    </p>
  );
}
