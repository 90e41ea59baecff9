import { scattered } from "@/components/preview";

/** The example's market has a point every half second, as the real one. */
const TICK_MS = 500;
/** As many ticks as the picture shows. */
export const SHOWN_TICKS = 48;

/** The example's price, which starts again and again at about 1 and never ends. */
function priceAt(tick: number): number {
  const noise = scattered(tick) + scattered(tick + 1) - 1;
  return 1.16 + 0.2 * Math.sin(tick / 11) + 0.1 * Math.sin(tick / 4.3 + 1) + 0.05 * noise;
}

/** The visible part of the example: ticks from the left edge, the last of them between two points. */
export function exampleAt(sceneMs: number): {
  points: readonly (readonly [tick: number, price: number])[];
  price: number;
} {
  const now = sceneMs / TICK_MS;
  const whole = Math.floor(now);
  const price = priceAt(whole) + (priceAt(whole + 1) - priceAt(whole)) * (now - whole);
  const first = whole - SHOWN_TICKS;
  const points = Array.from({ length: SHOWN_TICKS + 1 }, (_, index) => {
    const tick = first + index;
    return [tick - now + SHOWN_TICKS, priceAt(tick)] as const;
  });
  return { points: [...points, [SHOWN_TICKS, price]], price };
}

/** The published points of a round, with the lowest and highest price that the picture needs. */
export function rangeOf(prices: readonly number[]): { low: number; high: number } {
  const low = Math.min(...prices, 1);
  const high = Math.max(...prices, 1);
  const room = Math.max(0.05, (high - low) * 0.15);
  return { low: low - room, high: high + room };
}
