import type { ChartPoint, Scene } from "./paint";

/** At first the line grows, then the chart scales with it. */
const MIN_TICKS = 40;
const TICKS_A_SECOND = 2;

/** A market's path with one point per tick, the last step drawn up to `progress` (0 to 1). */
export function pathScene(
  points: readonly number[],
  progress: number,
  guide: number | null,
  tone: Scene["tone"],
): Scene {
  const last = points.length - 1;
  const line = points.map((point, tick): ChartPoint => [tick, point]);
  const before = points[last - 1];
  const newest = points[last];
  if (before !== undefined && newest !== undefined && progress < 1) {
    line[last] = [last - 1 + progress, before + (newest - before) * progress];
  }
  // At most 241 points: no decimation is needed.
  const top = Math.max(...points, 1);
  const bottom = Math.min(...points, 1);
  const room = Math.max(0.08, (top - bottom) * 0.15);
  return {
    points: line,
    xMax: Math.max(MIN_TICKS, last * 1.06),
    yMin: Math.max(0, bottom - room),
    yMax: top + room,
    tone,
    guide,
    mark: null,
    labelOf: (value) => `${value.toFixed(3)}×`,
    unitsPerSecond: TICKS_A_SECOND,
  };
}
