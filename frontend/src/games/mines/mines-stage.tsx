import { Shuffle } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { Amount, Button, type ResultChip, ResultChips } from "@/components";
import { useCelebration } from "@/games/rounds/use-celebration";
import { Watermark } from "@/games/rounds/watermark";
import { cn } from "@/lib/class-names";
import { formatPercent } from "@/lib/format";
import { centsOf, formatWire } from "@/lib/money";
import type { MinesRound } from "./api";
import { Ladder } from "./ladder";
import { type CellView, MineGrid } from "./mine-grid";
import { CELLS, shownMultiplier } from "./multiplier";
import { type Rung, safeCellsOf, safeChance } from "./rules";
import type { FieldState } from "./use-mines";

type MinesStageProps = {
  state: FieldState;
  /** Of the current round, or of the next one. */
  mines: number;
  rungs: readonly Rung[];
  chips: ResultChip[];
  onReveal(cell: number): void;
  onRandomPick(): void;
  onVerifyRound(id: number): void;
};

/** What each cell shows. */
export function viewsOf({ round, pending }: FieldState): CellView[] {
  const mines = new Set(round?.minePositions ?? []);
  const safe = new Set(round ? safeCellsOf(round) : []);
  return Array.from({ length: CELLS }, (_, cell) => {
    if (round?.hitCell === cell) return "hit";
    if (mines.has(cell)) return "mine";
    if (safe.has(cell)) return "safe";
    if (round?.minePositions) return "left";
    return typeof pending === "object" && pending?.cell === cell ? "pending" : "hidden";
  });
}

/** The grid, the current and next payout, and the ladder of multipliers. */
export function MinesStage({ state, mines, rungs, chips, onReveal, onRandomPick, onVerifyRound }: MinesStageProps) {
  const { phase, round, pending } = state;
  const isPlaying = phase === "playing";
  const safeCells = round ? safeCellsOf(round).length : 0;
  const isReady = isPlaying && pending === null;
  const ended = useMemo(
    () => (phase === "over" && round ? { ...round, stakedAmount: round.betAmount } : null),
    [phase, round],
  );
  const result = useCelebration(ended);
  return (
    <div className="stage @container grid h-full grid-cols-[minmax(0,1fr)] bg-well p-3 low:p-2 lg:grid-rows-[auto_1fr]">
      <Watermark />
      <div className="mines-table grid content-center justify-center gap-3 pb-3 lg:gap-5 lg:py-4 grid-cols-[minmax(0,420px)] @2xl:grid-cols-[minmax(0,452px)_236px]">
        <MineGrid cells={viewsOf(state)} isOpen={isReady} onReveal={onReveal} />
        <div className="mines-side grid content-between gap-3 @2xl:gap-4">
          <div className="mines-side flex items-center justify-between gap-3 @2xl:grid @2xl:justify-normal @2xl:gap-4">
            <div ref={result} className="mines-status min-w-0">
              <RoundStatus phase={phase} round={round} mines={mines} safeCells={safeCells} />
            </div>
            <Button
              className="mines-pick shrink-0 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 @2xl:w-full"
              aria-disabled={!isReady || undefined}
              onClick={() => isReady && onRandomPick()}
            >
              <Shuffle aria-hidden className="size-4" />
              <span className="mines-pick-text">Random pick</span>
            </Button>
          </div>
          {/* Between rounds these are for the bet in the form. */}
          <Ladder
            rungs={rungs}
            safeCells={phase === "idle" ? 0 : safeCells}
            isPlaying={isPlaying}
            isLost={round?.hitCell != null}
          />
        </div>
      </div>
      {/* The grid comes first for keyboard users, and on a phone. */}
      <div className="min-w-0 lg:order-first">
        <ResultChips label="Last results" results={chips} onSelect={onVerifyRound} />
      </div>
    </div>
  );
}

type StatusProps = { phase: FieldState["phase"]; round: MinesRound | null; mines: number; safeCells: number };

/** The multiplier and its meaning, as large as on the other stages if there is room. */
function RoundStatus({ phase, round, mines, safeCells }: StatusProps) {
  const { label, figure, tone, detail } = statusTexts({ phase, round, mines, safeCells });
  return (
    <div data-testid="standing" className="mines-standing min-w-0">
      <p className="text-13 text-ink-2">{label}</p>
      <p
        key={`${phase}-${safeCells}`}
        data-testid="multiplier"
        className={cn("display text-28 font-bold @2xl:text-40", tone)}
      >
        {figure}
      </p>
      <p className="text-13 text-ink-2">{detail}</p>
    </div>
  );
}

function statusTexts({ phase, round, mines, safeCells }: StatusProps): {
  label: string;
  figure: string;
  tone: string;
  detail: ReactNode;
} {
  const next = safeCells + 1;
  const chance = `${formatPercent(safeChance(mines, safeCells))} safe`;
  if (phase === "over" && round) return endOf(round, mines, safeCells);
  if (safeCells === 0)
    return { label: "First safe cell", figure: shownMultiplier(mines, 1), tone: "text-ink", detail: chance };
  return {
    label: `Now, pays ${round ? formatWire(round.payout) : "–"}`,
    figure: shownMultiplier(mines, safeCells),
    tone: "text-ink animate-[flash_180ms_var(--ease-house)]",
    detail: (
      <>
        Next <span className="font-semibold text-ink">{shownMultiplier(mines, next)}</span>, {chance}
      </>
    ),
  };
}

function endOf({ betAmount, winAmount, hitCell, roundId }: MinesRound, mines: number, safeCells: number) {
  const profit = (
    <>
      <Amount cents={centsOf(winAmount) - centsOf(betAmount)} signed className="font-semibold" /> · Round #{roundId}
    </>
  );
  if (hitCell !== null)
    return { label: `Mine on cell ${hitCell + 1}`, figure: "0.00×", tone: "text-loss", detail: profit };
  return {
    label: `Paid ${formatWire(winAmount)}`,
    figure: shownMultiplier(mines, safeCells),
    tone: "text-win animate-[flash_400ms_var(--ease-house)]",
    detail: profit,
  };
}
