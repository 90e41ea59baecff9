import { cn } from "@/lib/class-names";
import { formatChange, formatWire } from "@/lib/money";
import type { DiceBetType } from "./api";
import { profitOf, type RollState } from "./use-dice-bet";

/** Without a target there is no winning zone. */
type DiceStageProps = { target: number | null; side: DiceBetType; state: RollState };

function winningRolls(target: number | null, side: DiceBetType): string {
  if (target === null) return "Choose a target from 1 to 98";
  return side === "over" ? `Rolls of ${target + 1} to 100 win` : `Rolls of 1 to ${target} win`;
}

/** The track with its winning zone and the marker for the roll. */
export function DiceStage({ target, side, state }: DiceStageProps) {
  const roll = state.phase === "rolling" ? state.shown : state.phase === "done" ? state.result.diceResult : null;
  const tone = state.phase !== "done" ? "text-ink" : state.result.isWin ? "text-win" : "text-ink-2";
  const caption =
    state.phase === "rolling"
      ? "Rolling"
      : state.phase === "done"
        ? state.result.isWin
          ? `Won ${formatWire(state.result.winAmount)} (${formatChange(profitOf(state))})`
          : `No win this time (${formatChange(profitOf(state))})`
        : winningRolls(target, side);
  return (
    <div className="grid content-center gap-8 px-6 py-8 lg:px-10">
      <div className="grid justify-items-center gap-2">
        <p
          aria-hidden
          className={cn(
            "display text-64 font-bold lg:text-104",
            tone,
            state.phase === "done" && state.result.isWin && "animate-[flash_400ms_var(--ease-house)]",
          )}
        >
          {roll ?? "–"}
        </p>
        <p className="text-14 text-ink-2">
          {caption}
          {state.phase === "done" && <span className="text-ink-3"> · Round #{state.result.roundId}</span>}
        </p>
      </div>
      <div aria-hidden>
        <div className="relative h-10">
          <div className="edge absolute inset-x-0 top-4 h-2 rounded-full bg-line" />
          {target !== null && (
            <div
              data-testid="winning-zone"
              className="edge-filled absolute top-4 h-2 origin-left rounded-full bg-brass"
              style={side === "over" ? { left: `${target}%`, right: 0 } : { left: 0, width: `${target}%` }}
            />
          )}
          {roll !== null && (
            <div
              className="absolute inset-0 transition-transform duration-[120ms] ease-house"
              style={{ transform: `translateX(${roll}%)` }}
            >
              <span
                className={cn(
                  "absolute -left-1.5 top-1 block h-8 w-3 rounded-chip border-2 border-well bg-ink",
                  state.phase === "done" && (state.result.isWin ? "bg-win" : "bg-loss"),
                )}
              />
            </div>
          )}
        </div>
        <div className="flex justify-between text-12 text-ink-3">
          {[0, 25, 50, 75, 100].map((mark) => (
            <span key={mark}>{mark}</span>
          ))}
        </div>
      </div>
    </div>
  );
}
