import { type ExactPayout, exactPayout } from "@/lib/fairness/exact-payout";

/** Five rows of five cells, numbered from 0, row by row. */
export const SIDE = 5;
export const CELLS = SIDE * SIDE;
export const MIN_MINES = 1;
export const MAX_MINES = CELLS - 1;
const RETURNED_PERCENT = 99;
/** As stated by the house; the multiplier below is derived from it. */
export const RTP_PERCENT = RETURNED_PERCENT.toFixed(2);
export const HOUSE_EDGE_PERCENT = (100 - RETURNED_PERCENT).toFixed(2);

/** The binomial coefficient; a whole number below 2^23 here. */
function choose(all: number, count: number): number {
  let ways = 1;
  // Each step is a whole number: the product of n consecutive numbers is divisible by n!.
  for (let taken = 1; taken <= count; taken += 1) ways = (ways * (all - taken + 1)) / taken;
  return ways;
}

/** The multiplier after so many safe cells: 0.99 · C(25, k) / C(25 − m, k), exactly. */
export function multiplierOf(mines: number, safeCells: number): { numerator: number; divisor: number } {
  return { numerator: RETURNED_PERCENT * choose(CELLS, safeCells), divisor: 100 * choose(CELLS - mines, safeCells) };
}

/** What a cash-out pays after so many safe cells. */
export function minesPayout(betCents: number, mines: number, safeCells: number): ExactPayout {
  const { numerator, divisor } = multiplierOf(mines, safeCells);
  return exactPayout(betCents, numerator, divisor);
}

/** The multiplier in hundredths, rounded down, as shown. */
export function hundredthsOf(mines: number, safeCells: number): number {
  const { numerator, divisor } = multiplierOf(mines, safeCells);
  return Math.floor((numerator * 100) / divisor);
}

const wholeOf = (hundredths: number): string => Math.floor(hundredths / 100).toLocaleString("en-US");

/** "1,234.50×" */
export function shownMultiplier(mines: number, safeCells: number): string {
  const hundredths = hundredthsOf(mines, safeCells);
  return `${wholeOf(hundredths)}.${String(hundredths % 100).padStart(2, "0")}×`;
}

/** "99.00×", but "1,234×": for narrow places. */
export function shortMultiplier(mines: number, safeCells: number): string {
  const hundredths = hundredthsOf(mines, safeCells);
  return hundredths < 100_000 ? shownMultiplier(mines, safeCells) : `${wholeOf(hundredths)}×`;
}
