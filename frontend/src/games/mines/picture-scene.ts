import { eased, scattered, turnOf } from "@/components/preview";
import { CELLS } from "./multiplier";

const REVEAL_MS = 900;
const FADE_MS = 250;
/** The example reveals this many cells, rests for two beats and starts anew with others. */
const REVEALS = 6;
const TURN_MS = (REVEALS + 2) * REVEAL_MS;

/** Different cells in an order that looks random and is always the same. */
function cellsOf(turn: number): number[] {
  const order = Array.from({ length: CELLS }, (_, cell) => ({ cell, rank: scattered(turn * CELLS + cell) }));
  return order
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, REVEALS)
    .map(({ cell }) => cell);
}

/** The revealed cells at a time of the example, each with how far it is revealed from 0 to 1. */
export function revealedAt(sceneMs: number): ReadonlyMap<number, number> {
  const { turn, ms } = turnOf(sceneMs, TURN_MS);
  const isFading = 1 - eased(ms, TURN_MS - FADE_MS, FADE_MS);
  const shown = cellsOf(turn).flatMap((cell, index) => {
    const share = Math.min(eased(ms, (index + 0.5) * REVEAL_MS, FADE_MS), isFading);
    return share > 0 ? [[cell, share] as const] : [];
  });
  return new Map(shown);
}
