import { type RefObject, useRef } from "react";
import { leftPathScene, pathScene, type PriceRange, rangeBetween, rangeOf, type Scene } from "@/components/chart";
import type { LiveView } from "@/games/timed";
import { isOver, type LiveState } from "@/games/timed/round-state";
import { useFrameLoop } from "@/games/timed/use-frame-loop";
import { centsOf } from "@/lib/money";
import { playSound } from "@/lib/sound";
import type { StonksRound } from "./api";
import { openProfit, shownMultiplier, worthAt } from "./rules";
import type { PricePath } from "./price-path";

/** How long the line takes to reach a new point, and the axis to reach a new step; the number shows a point at once. */
const GLIDE_MS = 220;

/** The multiplier at which the auto-sell amount is reached; null without one. */
function guideOf(round: StonksRound): number | null {
  return round.autoCashoutProfit === null ? null : centsOf(round.autoCashoutProfit) / centsOf(round.betAmount);
}

const withEntry = (scene: Scene): Scene => ({ ...scene, entry: { y: 1, text: "entry" } });

/** The path of a finished round up to the sale, and dashed what came after it, once that is known. */
export function endScene(round: StonksRound, whole: readonly number[] | null): Scene {
  if (round.result === "crashed" || round.cashoutMultiplier === null)
    return withEntry(pathScene(round.points, 1, guideOf(round), "lost"));
  const isProfit = centsOf(round.winAmount) > centsOf(round.betAmount);
  const mark = {
    text: `sold at ${shownMultiplier(round.cashoutMultiplier)}`,
    tone: isProfit ? "won" : "plain",
  } as const;
  return withEntry(leftPathScene(whole ?? round.points, round.points.length - 1, guideOf(round), mark));
}

type Options = {
  state: LiveState<StonksRound>;
  path: RefObject<PricePath>;
  /** All prices of a sold round, also those after the sale; null while they are not known. */
  whole: readonly number[] | null;
  view: LiveView;
  isStill: boolean;
};

/** Animates a round: writes the numbers and paints the path in each frame, bypassing React. */
export function useStonksFrames({ state, path, whole, view, isStill }: Options): RefObject<number | null> {
  const shown = useRef<number | null>(null);
  const painted = useRef("");
  const axis = useRef<GlidingRange | null>(null);

  useFrameLoop(state.phase === "playing", () => {
    if (state.phase !== "playing") {
      const drawing = isOver(state) ? `over ${state.round.roundId} ${whole?.length ?? 0}` : "idle";
      if (drawing === painted.current) return;
      painted.current = drawing;
      shown.current = null;
      axis.current = null;
      view.chart.show(isOver(state) ? endScene(state.round, whole) : pathScene([1], 1, null, "live"));
      return;
    }
    const { round, isCashingOut } = state;
    // The first points of a round arrive a moment after its state.
    const isTracked = path.current.roundId === round.roundId;
    const points = isTracked ? path.current.points : round.points;
    const isFrozen = isCashingOut && shown.current !== null;
    const multiplier = isFrozen && shown.current !== null ? shown.current : (points.at(-1) ?? 1);
    if (shown.current !== null && shown.current !== multiplier && multiplier !== 0) playSound("tick");
    shown.current = multiplier;
    writeFigures(view, round, multiplier, isCashingOut);
    if (isFrozen) return;
    const now = performance.now();
    const progress = isStill || !isTracked ? 1 : Math.min(1, (now - path.current.newestAt) / GLIDE_MS);
    axis.current = glide(axis.current, rangeOf(points), now);
    const scaled = isStill ? 1 : Math.min(1, (now - axis.current.since) / GLIDE_MS);
    const drawing = `${round.roundId} ${points.length} ${progress} ${scaled}`;
    if (drawing === painted.current) return;
    painted.current = drawing;
    const range = rangeBetween(axis.current.from, axis.current.to, scaled);
    const tone = multiplier === 0 ? "lost" : "live";
    view.chart.show(withEntry(pathScene(points, progress, guideOf(round), tone, range)));
  });
  return shown;
}

function writeFigures(view: LiveView, round: StonksRound, multiplier: number, isCashingOut: boolean): void {
  view.multiplier.write(shownMultiplier(multiplier));
  view.caption.write(multiplier === 0 ? "The market crashed" : `Now worth ${worthAt(round, multiplier)}`);
  const { text, tone } = openProfit(round, multiplier);
  view.profit.writeToned(multiplier === 0 ? "" : text, tone);
  view.label.write(`${isCashingOut ? "Selling" : "Sell Now"} ${worthAt(round, multiplier)}`);
}

type GlidingRange = { from: PriceRange; to: PriceRange; since: number };

/** The axis glides to a new step, from wherever it is. */
function glide(axis: GlidingRange | null, to: PriceRange, now: number): GlidingRange {
  if (!axis) return { from: to, to, since: now };
  if (axis.to.top === to.top && axis.to.bottom === to.bottom) return axis;
  const from = rangeBetween(axis.from, axis.to, Math.min(1, (now - axis.since) / GLIDE_MS));
  return { from, to, since: now };
}
