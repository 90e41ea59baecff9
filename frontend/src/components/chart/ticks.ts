const STEPS: readonly number[] = [1, 2, 5, 10];

/** The smallest round step (1, 2 or 5 times a power of ten) that leaves at most `most` values in a range. */
export function roundStep(range: number, most: number): number {
  if (!(range > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(range / most));
  return (STEPS.find((step) => range / (step * power) <= most) ?? 10) * power;
}

/** The multiples of a round step above `from` and up to `to`. */
export function roundTicks(from: number, to: number, most: number): number[] {
  const step = roundStep(to - from, most);
  const first = Math.floor(from / step + 1e-9) + 1;
  const ticks: number[] = [];
  // Count whole steps: sums of 0.1 would accumulate rounding errors.
  for (let index = first; index * step <= to; index += 1) ticks.push(Number((index * step).toPrecision(12)));
  return ticks;
}
