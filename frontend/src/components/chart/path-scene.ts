import type { ChartPoint, Scene } from "./paint";
import { type PriceRange, steadyRange } from "./steady-range";

/** At first the line grows, then the chart scales with it. */
const MIN_TICKS = 40;
const TICKS_A_SECOND = 2;

/** The axis of a market with these prices. */
export const rangeOf = (points: readonly number[]): PriceRange =>
  steadyRange(Math.min(...points, 1), Math.max(...points, 1));

const tickLabel = (value: number): string => `${Number(value.toFixed(3))}×`;

/** A market's path with one point per tick, the last step drawn up to `progress` (0 to 1). */
export function pathScene(
  points: readonly number[],
  progress: number,
  guide: number | null,
  tone: Scene["tone"],
  range = rangeOf(points),
): Scene {
  const last = points.length - 1;
  const line = points.map((point, tick): ChartPoint => [tick, point]);
  const before = points[last - 1];
  const newest = points[last];
  if (before !== undefined && newest !== undefined && progress < 1) {
    line[last] = [last - 1 + progress, before + (newest - before) * progress];
  }
  return {
    // At most 241 points: no decimation is needed.
    points: line,
    xMax: Math.max(MIN_TICKS, last * 1.06),
    yMin: range.bottom,
    yMax: range.top,
    tone,
    guide,
    mark: null,
    labelOf: tickLabel,
    unitsPerSecond: TICKS_A_SECOND,
  };
}

/** A market that was left at a tick: the rest of the path is dashed, and the sale is marked with its text. */
export function leftPathScene(
  points: readonly number[],
  leftAt: number,
  guide: number | null,
  mark: { text: string; tone: "won" | "plain" },
): Scene {
  const seen = points.slice(0, leftAt + 1);
  const rest = points.slice(leftAt + 1).map((point, index): ChartPoint => [leftAt + 1 + index, point]);
  const scene = pathScene(seen, 1, guide, "live", rangeOf(points));
  const at = scene.points.at(-1);
  return {
    ...scene,
    xMax: Math.max(MIN_TICKS, (points.length - 1) * 1.06),
    mark: at ? { at, ...mark } : null,
    ...(rest.length > 0 && { rest }),
  };
}
