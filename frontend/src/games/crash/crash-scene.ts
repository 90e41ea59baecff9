import type { ChartPoint, Scene } from "@/components/chart";
import type { CrashRound } from "./api";
import { type Curve, reachedAtMs } from "./curve";

/** More points are indistinguishable on a screen, and take long to draw in each frame. */
const MAX_POINTS: Record<Curve, number> = { linear: 2, exponential: 80 };
const MS_A_POINT = 100;
/** At first the line grows, then the chart scales with it: its end stays below the number in the upper left corner. */
const MIN_MS: Record<Curve, number> = { linear: 3000, exponential: 6000 };
/** Free room beyond the line's end, as a share. */
const ROOM = { right: 1.04, above: 1.18 };
/** At this multiplier the line is as wide and bright as it gets. */
const HOTTEST = 20;

const heightAt = (curve: Curve, ms: number): number =>
  curve === "linear" ? 1 + (0.7 * ms) / 1000 : 1.1 ** (ms / 1000);

/** "1.2×", with as many decimals as a tick has. */
const tickLabel = (value: number): string => `${Number(value.toFixed(2))}×`;

/** How far a multiplier has come towards the hottest, from 0 to 1. */
export const heatOf = (hundredths: number): number =>
  Math.min(1, Math.log(Math.max(100, hundredths) / 100) / Math.log(HOTTEST));

/** The curve between two times. */
function curvePoints(curve: Curve, fromMs: number, toMs: number): ChartPoint[] {
  const count = Math.min(MAX_POINTS[curve], 2 + Math.ceil((toMs - fromMs) / MS_A_POINT));
  return Array.from({ length: count }, (_, index): ChartPoint => {
    const at = fromMs + ((toMs - fromMs) * index) / (count - 1);
    return [at, heightAt(curve, at)];
  });
}

/** The curve up to `ms`, where it shows `hundredths`; the axes reach to `endMs`. */
export function crashScene(
  curve: Curve,
  ms: number,
  hundredths: number,
  guide: number | null,
  tone: Scene["tone"],
  endMs = ms,
): Scene {
  const isLonger = endMs > ms;
  const longest = Math.max(MIN_MS[curve], endMs);
  return {
    points: curvePoints(curve, 0, ms),
    xMax: longest * ROOM.right,
    yMin: 1,
    yMax: 1 + (heightAt(curve, longest) - 1) * ROOM.above,
    tone,
    guide,
    mark: null,
    labelOf: tickLabel,
    unitsPerSecond: 1000,
    heat: heatOf(hundredths),
    ...(isLonger && { rest: curvePoints(curve, ms, endMs) }),
  };
}

/** Before a round: only the start. */
export const idleScene = (curve: Curve): Scene => crashScene(curve, 0, 100, null, "live");

/** After a round: up to the crash, with the cash-out marked. What came after a cash-out is dashed. */
export function endScene({
  result,
  curve,
  crashPoint,
  cashoutMultiplier,
  autoCashoutMultiplier: guide,
}: CrashRound): Scene {
  const crash = Math.round((crashPoint ?? 1) * 100);
  if (result !== "cashed_out") return crashScene(curve, reachedAtMs(curve, crash), crash, guide, "lost");
  const left = Math.round((cashoutMultiplier ?? 1) * 100);
  const leftMs = reachedAtMs(curve, left);
  const scene = crashScene(curve, leftMs, left, guide, "live", Math.max(leftMs, reachedAtMs(curve, crash)));
  const at = scene.points.at(-1);
  return {
    ...scene,
    mark: at ? { at, text: `out at ${(left / 100).toFixed(2)}×`, tone: "won" } : null,
    ...(crash > left && { restText: `${(crash / 100).toFixed(2)}×` }),
  };
}
