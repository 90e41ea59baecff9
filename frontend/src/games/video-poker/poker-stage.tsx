import { useMemo } from "react";
import { Badge, type ResultChip, ResultChips } from "@/components";
import { useCelebration } from "@/games/rounds/use-celebration";
import { Watermark } from "@/games/rounds/watermark";
import { cn } from "@/lib/class-names";
import { centsOf, formatDollars } from "@/lib/money";
import { rankWords } from "./paytable";
import { HandRow } from "./hand-row";
import { PayoutTable } from "./payout-table";
import type { GameState } from "./state";

type PokerStageProps = {
  state: GameState;
  chips: ResultChip[];
  /** The bet of the current hand, or of the next one. */
  betCents: number;
  /** Whether the payout table is open, and its ID. */
  payouts: { isOpen: boolean; id: string };
  onToggle(index: number): void;
  onVerifyRound(id: number): void;
};

/** The table: the latest results, the cards with the result, and the payouts beside or below them. */
export function PokerStage({ state, chips, betCents, payouts, onToggle, onVerifyRound }: PokerStageProps) {
  const { stage, hand } = state;
  const ended = stage === "RESULT" ? hand : null;
  const endedRound = useMemo(() => ended && { ...ended, stakedAmount: ended.betAmount }, [ended]);
  const result = useCelebration(endedRound);
  return (
    <div className="stage @container grid h-full grid-cols-[minmax(0,1fr)] bg-well">
      <Watermark />
      <div
        className={cn(
          "grid grid-cols-[minmax(0,1fr)] gap-x-4 p-2 sm:p-4 lg:grid-rows-[auto_1fr]",
          payouts.isOpen && "@2xl:grid-cols-[minmax(0,1fr)_232px] @3xl:grid-cols-[minmax(0,1fr)_318px]",
        )}
      >
        {/* On a phone the cards come first. */}
        <div className="col-span-full min-w-0 max-lg:order-last">
          <ResultChips label="Last hands" results={chips} onSelect={onVerifyRound} />
        </div>
        <div className="grid content-center gap-2 py-2 low:gap-1 low:py-0 lg:gap-4 lg:py-4">
          <div className="max-sm:-order-2">
            <HandRow state={state} onToggle={onToggle} />
          </div>
          <StatusPill state={state} />
          {/* On a phone the result stands right below the cards, above the dock even on a low screen. */}
          <div ref={result} data-testid="result" className="max-sm:-order-1 sm:min-h-[52px]">
            {ended && <ResultBanner isWin={ended.isWin} winAmount={ended.winAmount} />}
          </div>
        </div>
        <div id={payouts.id} className="grid grid-cols-[minmax(0,1fr)] content-center">
          {payouts.isOpen && (
            <PayoutTable
              current={hand?.handRank ?? null}
              isWon={ended?.isWin ?? false}
              betCents={betCents}
              className="mx-auto w-full max-w-[640px] rounded-control bg-panel p-2 max-lg:my-2"
            />
          )}
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
      className="mx-auto flex min-h-[48px] max-w-full items-center gap-3 rounded-[24px] low:min-h-9 low:py-0.5 border border-line bg-panel px-5 py-1.5 text-center text-14 text-ink"
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
        "mx-auto max-w-[640px] rounded-control border px-4 py-2 text-center sm:py-3 font-semibold",
        isWin
          ? "animate-[flash_400ms_var(--ease-house)] border-win text-20 text-win"
          : "border-line text-16 text-ink-2",
      )}
    >
      {isWin ? `You won ${formatDollars(centsOf(winAmount))}` : NO_WIN}
    </p>
  );
}
