/** The growth of the multiplier in crash. Both curves map milliseconds to hundredths. */
export type Curve = "linear" | "exponential";

export const MIN_HUNDREDTHS = 100;
export const MAX_HUNDREDTHS = 10_000;

/**
 * The millisecond at which each hundredth is reached: `ceil(1000·ln(k/100)/ln 1.1)`. Only k = 100, 110 and 121 are
 * reached on a whole millisecond; there floating point may be off and the ceiling a millisecond late, so nearly whole
 * values are rounded. No other k comes that close.
 */
function exponentialTable(): Int32Array {
  const table = new Int32Array(MAX_HUNDREDTHS + 1);
  for (let k = MIN_HUNDREDTHS; k <= MAX_HUNDREDTHS; k += 1) {
    const exact = (1000 * Math.log(k / 100)) / Math.log(1.1);
    const whole = Math.round(exact);
    table[k] = Math.abs(exact - whole) < 1e-8 ? whole : Math.ceil(exact);
  }
  return table;
}

let table: Int32Array | null = null;

/** The first millisecond at which the curve shows `hundredths`. */
export function reachedAtMs(curve: Curve, hundredths: number): number {
  const k = Math.min(MAX_HUNDREDTHS, Math.max(MIN_HUNDREDTHS, hundredths));
  if (curve === "linear") return Math.ceil(((k - MIN_HUNDREDTHS) * 100) / 7);
  table ??= exponentialTable();
  return table[k] ?? 0;
}

/** The multiplier after `ms` milliseconds, in hundredths, at most 100.00. */
export function hundredthsAt(curve: Curve, ms: number): number {
  const elapsed = Math.max(0, Math.floor(ms));
  if (curve === "linear") return Math.min(MAX_HUNDREDTHS, MIN_HUNDREDTHS + Math.floor((7 * elapsed) / 100));
  let low = MIN_HUNDREDTHS;
  let high = MAX_HUNDREDTHS;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (reachedAtMs("exponential", middle) <= elapsed) low = middle;
    else high = middle - 1;
  }
  return low;
}
