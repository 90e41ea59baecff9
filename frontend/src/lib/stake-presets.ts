import { parseCents, wireAmount } from "./money";
import { Remembered } from "./remembered";

/** Always four amounts in cents. */
export type StakePresets = readonly [number, number, number, number];
export const DEFAULT_PRESETS: StakePresets = [100, 500, 2500, 10_000];

/** Four typed amounts in ascending order; null if one is not an amount above zero. */
export function parsePresets(texts: readonly string[]): StakePresets | null {
  const [first, second, third, fourth, ...others] = texts.map((text) => parseCents(text) ?? 0);
  if (!first || !second || !third || !fourth || others.length > 0) return null;
  const [one = first, two = second, three = third, four = fourth] = [first, second, third, fourth].toSorted(
    (smaller, larger) => smaller - larger,
  );
  return [one, two, three, four];
}

/** "1", "2.50": an amount on a small button. */
export const presetText = (cents: number): string => wireAmount(cents).replace(/\.00$/, "");

export const stakePresets = new Remembered<StakePresets>(
  "glasshouse-stakes",
  (text) => parsePresets((text ?? "").split(" ")) ?? DEFAULT_PRESETS,
  (presets) => presets.map(wireAmount).join(" "),
);
