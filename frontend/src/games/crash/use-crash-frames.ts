import { type RefObject, useMemo, useRef } from "react";
import type { LiveView } from "@/games/timed";
import { isOver, type LiveState } from "@/games/timed/round-state";
import { serverClock } from "@/games/timed/server-clock";
import { useFrameLoop } from "@/games/timed/use-frame-loop";
import type { CrashRound } from "./api";
import { crashScene, endScene, idleScene } from "./crash-scene";
import { MAX_HUNDREDTHS, MIN_HUNDREDTHS, type Curve, hundredthsAt, reachedAtMs } from "./curve";
import { hundredthsOf, payoutAt, shownMultiplier } from "./rules";

/** What the player sees of a round in play; what is claimed is what is seen. */
export type Shown = { roundId: number; ms: number; hundredths: number };

/** The highest value that may be shown: the server answers for what comes after it. */
export const limitOf = (round: CrashRound): number =>
  round.autoCashoutMultiplier === null ? MAX_HUNDREDTHS : hundredthsOf(round.autoCashoutMultiplier);

/** What is to be seen of a round at a time of the house's clock; unknown times change nothing. */
export function shownAt(round: CrashRound, now: number | null, before: Shown | null): Shown {
  if (now === null)
    return before?.roundId === round.roundId ? before : { roundId: round.roundId, ms: 0, hundredths: MIN_HUNDREDTHS };
  const limit = limitOf(round);
  const ms = Math.min(Math.max(0, Math.floor(now - round.startedAtMs)), reachedAtMs(round.curve, limit));
  return { roundId: round.roundId, ms, hundredths: Math.min(limit, hundredthsAt(round.curve, ms)) };
}

/** Plays a round: writes the numbers and paints the curve, each frame, past React. */
export function useCrashFrames(state: LiveState<CrashRound>, curve: Curve, view: LiveView): RefObject<Shown | null> {
  const shown = useRef<Shown | null>(null);
  const painted = useRef("");
  const still = useMemo(() => (isOver(state) ? endScene(state.round) : idleScene(curve)), [state, curve]);

  useFrameLoop(state.phase === "playing", () => {
    if (state.phase !== "playing") {
      painted.current = "";
      shown.current = null;
      view.chart.show(still);
      return;
    }
    const { round, isCashingOut } = state;
    // While an answer is awaited, what was claimed stays in view.
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
    view.chart.show(crashScene(round.curve, next.ms, next.hundredths, round.autoCashoutMultiplier, "live"));
  });
  return shown;
}
