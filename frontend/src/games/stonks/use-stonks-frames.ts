import { type RefObject, useRef } from "react";
import { pathScene } from "@/components/chart";
import type { LiveView } from "@/games/timed";
import { isOver, type LiveState } from "@/games/timed/round-state";
import { useFrameLoop } from "@/games/timed/use-frame-loop";
import { centsOf } from "@/lib/money";
import type { StonksRound } from "./api";
import { shownMultiplier, worthAt } from "./rules";
import type { PricePath } from "./price-path";

/** How long the line takes to reach a new point; the number shows it at once. */
const GLIDE_MS = 220;

/** The multiplier at which the auto-sell amount is reached; null without one. */
function guideOf(round: StonksRound): number | null {
  return round.autoCashoutProfit === null ? null : centsOf(round.autoCashoutProfit) / centsOf(round.betAmount);
}

/** The path of a finished round, up to the sale. */
function endScene(round: StonksRound) {
  return pathScene(round.points, 1, guideOf(round), round.result === "crashed" ? "lost" : "live");
}

type Options = { state: LiveState<StonksRound>; path: RefObject<PricePath>; view: LiveView; isStill: boolean };

/** Animates a round: writes the numbers and paints the path in each frame, bypassing React. */
export function useStonksFrames({ state, path, view, isStill }: Options): RefObject<number | null> {
  const shown = useRef<number | null>(null);
  const painted = useRef("");

  useFrameLoop(state.phase === "playing", () => {
    if (state.phase !== "playing") {
      const drawing = isOver(state) ? `over ${state.round.roundId}` : "idle";
      if (drawing === painted.current) return;
      painted.current = drawing;
      shown.current = null;
      view.chart.show(isOver(state) ? endScene(state.round) : pathScene([1], 1, null, "live"));
      return;
    }
    const { round, isCashingOut } = state;
    // The first points of a round arrive a moment after its state.
    const isTracked = path.current.roundId === round.roundId;
    const points = isTracked ? path.current.points : round.points;
    const isFrozen = isCashingOut && shown.current !== null;
    const multiplier = isFrozen && shown.current !== null ? shown.current : (points.at(-1) ?? 1);
    shown.current = multiplier;
    view.multiplier.write(shownMultiplier(multiplier));
    view.caption.write(multiplier === 0 ? "The market crashed" : `Now worth ${worthAt(round, multiplier)}`);
    view.label.write(`${isCashingOut ? "Selling" : "Sell Now"} ${worthAt(round, multiplier)}`);
    if (isFrozen) return;
    const progress = isStill || !isTracked ? 1 : Math.min(1, (performance.now() - path.current.newestAt) / GLIDE_MS);
    const drawing = `${round.roundId} ${points.length} ${progress}`;
    if (drawing === painted.current) return;
    painted.current = drawing;
    view.chart.show(pathScene(points, progress, guideOf(round), multiplier === 0 ? "lost" : "live"));
  });
  return shown;
}
