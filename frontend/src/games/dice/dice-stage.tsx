import { useEffect, useRef } from "react";
import { celebrate } from "@/lib/celebrate";
import { cn } from "@/lib/class-names";
import { counted } from "@/lib/format";
import { centsOf, formatChange, formatWire } from "@/lib/money";
import { playSound } from "@/lib/sound";
import type { DiceBetType } from "./api";
import { DiceTrack } from "./dice-track";
import { profitOf, type RollState } from "./use-dice-bet";
import { useLastRolls } from "./use-last-rolls";

type DiceStageProps = {
  /** Null while the typed one is invalid: then there is no winning zone. */
  target: number | null;
  /** The last valid target: where the slider stays while something else is typed. */
  lastTarget: number;
  side: DiceBetType;
  state: RollState;
  /** Whether the target cannot be changed: a roll or autobet is running. */
  isLocked: boolean;
  onTargetChange(target: number): void;
};

function winningRolls(target: number | null, side: DiceBetType): string {
  if (target === null) return "Choose a target from 1 to 98";
  return side === "over" ? `Rolls of ${target + 1} to 100 win` : `Rolls of 1 to ${target} win`;
}

function betText(target: number | null, side: DiceBetType): string {
  if (target === null) return "No target";
  return side === "over" ? `Over ${target}` : `${target} or under`;
}

function captionOf(state: RollState, target: number | null, side: DiceBetType): string {
  if (state.phase === "rolling") return "Rolling";
  if (state.phase === "idle") return winningRolls(target, side);
  const profit = formatChange(profitOf(state));
  return state.result.isWin ? `Won ${formatWire(state.result.winAmount)} (${profit})` : `No win this time (${profit})`;
}

/** The result, and the track with its winning zone and the last rolls. */
export function DiceStage({ target, lastTarget, side, state, isLocked, onTargetChange }: DiceStageProps) {
  const number = useRef<HTMLParagraphElement>(null);
  const rolls = useLastRolls(state);
  useRollSounds(state);
  useEffect(() => {
    if (state.phase !== "done") return;
    const { bet, result } = state;
    celebrate({
      stakeCents: centsOf(bet.betAmount),
      payoutCents: centsOf(result.winAmount),
      from: number.current,
    });
  }, [state]);
  const roll = state.phase === "rolling" ? state.shown : state.phase === "done" ? state.result.diceResult : null;
  const isWin = state.phase === "done" ? state.result.isWin : null;
  return (
    <div className="grid content-evenly gap-4 px-4 pt-2 low:gap-1 low:pt-1 sm:px-6 lg:px-8 lg:pb-4">
      <div className="grid justify-items-start gap-1 low:flex low:flex-wrap low:items-baseline low:gap-x-3">
        <p
          ref={number}
          aria-hidden
          data-testid="roll"
          className={cn(
            "display whitespace-nowrap font-bold",
            roll === null ? "text-40 low:text-28 lg:text-64" : "text-64 low:text-40 lg:text-104",
            isWin === true ? "text-win" : isWin === false ? "text-ink-2" : "text-ink",
          )}
        >
          {roll ?? betText(target, side)}
        </p>
        <p className="text-14 text-ink-2">
          {captionOf(state, target, side)}
          {state.phase === "done" && <span className="text-ink-3"> · Round #{state.result.roundId}</span>}
        </p>
      </div>
      <DiceTrack
        target={lastTarget}
        hasZone={target !== null}
        side={side}
        isLocked={isLocked}
        rolls={rolls}
        pointer={roll === null ? null : { roll, isWin }}
        onTargetChange={onTargetChange}
      />
      <p className="text-13 text-ink-3 max-sm:hidden">
        {rolls.length === 0 ? "" : `Your last ${rolls.length === 1 ? "roll" : counted(rolls.length, "roll")}. `}Drag the
        handle, or choose a place on the track.
      </p>
    </div>
  );
}

function useRollSounds(state: RollState): void {
  const { phase } = state;
  const shown = state.phase === "rolling" ? state.shown : null;
  useEffect(() => {
    if (phase === "rolling") playSound("bet");
  }, [phase]);
  useEffect(() => {
    if (shown !== null) playSound("tick");
  }, [shown]);
}
