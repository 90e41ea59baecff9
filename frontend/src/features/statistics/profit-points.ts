// The points of the profit over time. Money stays in whole cents; only positions are fractions.

import type { ProfitBucket, ProfitRange } from "./api";
import { centsOf } from "@/lib/money";

export const RANGES = [
  { value: "day", label: "Day" },
  { value: "week", label: "Week" },
  { value: "month", label: "Month" },
  { value: "year", label: "Year" },
  { value: "all", label: "All" },
] as const satisfies readonly { value: ProfitRange; label: string }[];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long each bucket of a range is. */
export const bucketMs = (range: ProfitRange): number => (range === "day" || range === "week" ? HOUR_MS : DAY_MS);

export type ProfitPoint = {
  /** When the bucket starts. */
  startMs: number;
  rounds: number;
  stakedCents: number;
  paidCents: number;
  profitCents: number;
  /** The profit since the beginning of the range. */
  sumCents: number;
};

/** One point for each bucket with rounds, oldest first, with the running total. */
export function pointsOf(buckets: readonly ProfitBucket[]): ProfitPoint[] {
  const ordered = buckets
    .map((bucket) => ({ ...bucket, startMs: Date.parse(bucket.startedAt) }))
    .toSorted((one, other) => one.startMs - other.startMs);
  let sumCents = 0;
  return ordered.map(({ startMs, rounds, staked, paid, profit }) => {
    const profitCents = centsOf(profit);
    sumCents += profitCents;
    return { startMs, rounds, stakedCents: centsOf(staked), paidCents: centsOf(paid), profitCents, sumCents };
  });
}

export type Span = { fromMs: number; toMs: number };

/** The shown time: as the server says, and at least one bucket. */
export const spanOf = (from: string, to: string, range: ProfitRange): Span => {
  const fromMs = Date.parse(from);
  return { fromMs, toMs: Math.max(Date.parse(to), fromMs + bucketMs(range)) };
};

/** The position of a bucket's end, from 0 to 1. */
export function positionIn({ fromMs, toMs }: Span, startMs: number, range: ProfitRange): number {
  const share = (startMs + bucketMs(range) - fromMs) / (toMs - fromMs);
  return Math.min(1, Math.max(0, share));
}

/** The index of the position nearest to a share of the width; −1 if there is none. */
export function nearestTo(share: number, positions: readonly number[]): number {
  let nearest = -1;
  for (const [index, position] of positions.entries())
    if (nearest < 0 || Math.abs(position - share) < Math.abs((positions[nearest] ?? 0) - share)) nearest = index;
  return nearest;
}

/** Where a key leads among `count` points; null for other keys. */
export function keyTarget(key: string, index: number, count: number): number | null {
  const last = count - 1;
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return Math.max(0, index - 1);
    case "ArrowRight":
    case "ArrowUp":
      return Math.min(last, index + 1);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}

/** The line from zero to the end, level while nothing is played, with a step at every point, in a box of the given size. */
export function linePath(
  points: readonly { position: number; y: number }[],
  zeroY: number,
  width: number,
): { line: string; area: string } {
  const inner = points.map(({ position, y }) => `H${round(position * width)}V${round(y)}`).join("");
  const line = `M0 ${round(zeroY)}${inner}H${width}`;
  return { line, area: `${line}V${round(zeroY)}Z` };
}

/** A hundredth of a pixel cannot be seen. */
const round = (value: number): number => Math.round(value * 100) / 100;
