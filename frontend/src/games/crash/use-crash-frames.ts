import { type RefObject, useMemo, useRef } from "react";
import type { LiveView } from "@/games/timed";
import { isOver, type LiveState } from "@/games/timed/round-state";
import { serverClock } from "@/api/live/server-clock";
import { useFrameLoop } from "@/games/timed/use-frame-loop";
import type { CrashRound } from "./api";
import { crashScene, endScene, idleScene } from "./crash-scene";
import { MAX_HUNDREDTHS, MIN_HUNDREDTHS, type Curve, hundredthsAt, reachedAtMs } from "./curve";
import { hundredthsOf, payoutAt, shownMultiplier } from "./rules";
import { pitchOf, useRunningTone } from "./use-running-tone";

/** What the player sees of a round in play, and what a cash-out claims. */
export type Shown = { roundId: number; ms: number; hundredths: number };

/** The highest multiplier that may be shown; beyond it the server decides. */
export const limitOf = (round: CrashRound): number =>
  round.autoCashoutMultiplier === null ? MAX_HUNDREDTHS : hundredthsOf(round.autoCashoutMultiplier);

/** What to show of a round at a time of the house clock; an unknown time changes nothing. */
export function shownAt(round: CrashRound, now: number | null, before: Shown | null): Shown {
  if (now === null)
    return before?.roundId === round.roundId ? before : { roundId: round.roundId, ms: 0, hundredths: MIN_HUNDREDTHS };
  const limit = limitOf(round);
  const ms = Math.min(Math.max(0, Math.floor(now - round.startedAtMs)), reachedAtMs(round.curve, limit));
  return { roundId: round.roundId, ms, hundredths: Math.min(limit, hundredthsAt(round.curve, ms)) };
}

/** Animates a round: writes the numbers and paints the curve in each frame, bypassing React. */
export function useCrashFrames(state: LiveState<CrashRound>, curve: Curve, view: LiveView): RefObject<Shown | null> {
  const shown = useRef<Shown | null>(null);
  const painted = useRef("");
  const tone = useRunningTone(state.phase === "playing");
  const still = useMemo(() => (isOver(state) ? endScene(state.round) : idleScene(curve)), [state, curve]);

  useFrameLoop(state.phase === "playing", () => {
    if (state.phase !== "playing") {
      painted.current = "";
      shown.current = null;
      view.chart.show(still);
      return;
    }
    const { round, isCashingOut } = state;
    // While a response is pending, the claimed multiplier stays visible.
    const isHeld = isCashingOut && shown.current?.roundId === round.roundId;
    const next = isHeld && shown.current ? shown.current : shownAt(round, serverClock.now(), shown.current);
    shown.current = next;
    const isAtLimit = next.hundredths >= limitOf(round);
    view.multiplier.write(shownMultiplier(next.hundredths));
    view.caption.write(`${isAtLimit ? "Cashing out at" : "Payout now"} ${payoutAt(round, next.hundredths)}`);
    view.label.write(`${isCashingOut ? "Cashing out" : "Cash out"} ${payoutAt(round, next.hundredths)}`);
    const drawing = `${round.roundId} ${next.ms}`;
    if (drawing === painted.current) return;
    painted.current = drawing;
    tone.pitch(pitchOf(next.hundredths));
    view.chart.show(crashScene(round.curve, next.ms, next.hundredths, round.autoCashoutMultiplier, "live"));
  });
  return shown;
}
