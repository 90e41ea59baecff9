/** The tops of a price axis. The bottom uses their reciprocals, down to zero. */
const STEPS: readonly number[] = [1.1, 1.2, 1.35, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10, 15, 20, 30, 40, 60, 80, 110];
const LOWEST = 0.1;
/** How far the line stays away from the edges, as a share of the distance from 1. */
const ROOM = 1.06;

export type PriceRange = { bottom: number; top: number };

/**
 * The axis for prices around 1 that have so far been between `low` and `high`. It grows in steps, so that it is still
 * for many prices in a row.
 */
export function steadyRange(low: number, high: number): PriceRange {
  const top = STEPS.find((step) => step >= high * ROOM) ?? high * ROOM;
  const needed = low / ROOM;
  const bottom = STEPS.map((step) => 1 / step).find((step) => step <= needed);
  return { bottom: bottom === undefined || bottom < LOWEST ? 0 : bottom, top };
}

/** The range on the way from one to another; `progress` is from 0 to 1. */
export const rangeBetween = (from: PriceRange, to: PriceRange, progress: number): PriceRange => ({
  bottom: from.bottom + (to.bottom - from.bottom) * progress,
  top: from.top + (to.top - from.top) * progress,
});
