// Positions in a plot. Money stays in whole cents; only positions are fractions.

/** The axis of a plot. */
export type Scale = { minimum: number; maximum: number; ticks: number[] };

/** The position of a value on a scale, from 0 to 1. */
export const positionOf = (value: number, { minimum, maximum }: Pick<Scale, "minimum" | "maximum">): number =>
  (value - minimum) / (maximum - minimum);

const STEPS = [1, 2, 5, 10];

/** About `wanted` round steps that cover both values and 0. */
export function scaleAround(lowest: number, highest: number, wanted = 4): Scale {
  const [from, to] = [Math.min(lowest, 0), Math.max(highest, 0)];
  const rough = Math.max((to - from) / wanted, 1);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = magnitude * (STEPS.find((candidate) => candidate * magnitude >= rough) ?? 10);
  const [first, last] = [Math.floor(from / step), Math.max(Math.ceil(to / step), Math.floor(from / step) + 1)];
  const ticks = Array.from({ length: last - first + 1 }, (_, position) => (first + position) * step);
  return { minimum: first * step, maximum: last * step, ticks };
}
