import type { SettledRound } from "@/games/rounds/api";
import { type Limits, type Refusal, refuseAmount, stakeOf } from "@/lib/bet-rules";
import { centsOf, formatChange, formatDollars, formatWire, parseCents, wireAmount } from "@/lib/money";
import { type MinesRound, type MinesStart, minesDetailsOf } from "./api";
import { CELLS, MIN_MINES, minesPayout, MAX_MINES, shortMultiplier, shownMultiplier } from "./multiplier";
import { counted } from "./rounds";

export type MinesForm = { amount: string; mines: number };
export type MinesLimits = Limits & { minimumCents: number };

/** Used until the server's settings are loaded. */
export const DEFAULT_FORM: MinesForm = { amount: "10.00", mines: 3 };
export const DEFAULT_LIMITS = { minimumCents: 10, maximumCents: 100_000 };
export const DEFAULT_MAX_PAYOUT_CENTS = 10_000_000;

export const MINE_COUNTS: readonly number[] = Array.from({ length: MAX_MINES }, (_, index) => MIN_MINES + index);

/** Why a round cannot be started; null if it can. */
export const refuseStart = ({ amount }: MinesForm, limits: MinesLimits): Refusal | null =>
  refuseAmount(amount, limits, limits.minimumCents);

export const startOf = ({ amount, mines }: MinesForm): MinesStart => ({
  betAmount: wireAmount(parseCents(amount) ?? 0),
  mines,
});

/** The revealed safe cells of a round, without the mine that ended it. */
export const safeCellsOf = ({ revealed, hitCell }: MinesRound): number[] => revealed.filter((cell) => cell !== hitCell);

export const isOver = ({ result }: MinesRound): boolean => result !== "playing";

/** The chance that the next cell is safe, from 0 to 1. */
export const safeChance = (mines: number, safeCells: number): number =>
  (CELLS - mines - safeCells) / (CELLS - safeCells);

/**
 * The number of safe cells after which a round ends by itself: when all are revealed, or when the next one could exceed
 * the maximum payout.
 */
export function lastSafeCell(betCents: number, mines: number, maximumPayoutCents: number): number {
  const all = CELLS - mines;
  for (let safeCells = 1; safeCells < all; safeCells += 1) {
    const { cents, remainder } = minesPayout(betCents, mines, safeCells + 1);
    if (cents + (remainder > 0 ? 1 : 0) > maximumPayoutCents) return safeCells;
  }
  return all;
}

/** `short` is the multiplier for narrow places. */
export type Rung = { safeCells: number; multiplier: string; short: string; payoutCents: number | null };

/** The multiplier and payout of each safe cell, for the amount typed. */
export function rungsOf({ amount, mines }: MinesForm, maximumPayoutCents: number): Rung[] {
  const stake = stakeOf(amount);
  return Array.from({ length: lastSafeCell(stake ?? 0, mines, maximumPayoutCents) }, (_, index) => {
    const safeCells = index + 1;
    const payoutCents = stake === null ? null : minesPayout(stake, mines, safeCells).cents;
    return {
      safeCells,
      multiplier: shownMultiplier(mines, safeCells),
      short: shortMultiplier(mines, safeCells),
      payoutCents,
    };
  });
}

/** A random cell, each with equal probability. */
export function randomCell(cells: readonly number[], random: () => number = randomWord): number | null {
  // Reject words above the largest multiple of the count, which would favour the first cells.
  const limit = 2 ** 32 - (2 ** 32 % cells.length);
  for (;;) {
    if (cells.length === 0) return null;
    const word = random();
    if (word < limit) return cells[word % cells.length] ?? null;
  }
}
const randomWord = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/** The end of a round in words; `outcome` as in the history. */
export function ending(round: MinesRound): { title: string; description: string; outcome: string; isWin: boolean } {
  const { betAmount, winAmount, hitCell, mines } = round;
  if (hitCell !== null)
    return {
      title: "You Lost",
      description: `Cell ${hitCell + 1} was a mine. You lost ${formatWire(betAmount)}`,
      outcome: "loss",
      isWin: false,
    };
  const safeCells = safeCellsOf(round).length;
  const multiplier = shownMultiplier(mines, safeCells);
  const profit = formatChange(centsOf(winAmount) - centsOf(betAmount));
  return {
    title: safeCells === CELLS - mines ? "All safe cells found!" : "Cashed Out!",
    description: `You won ${formatWire(winAmount)} at ${multiplier} (${profit})`,
    outcome: `win (${multiplier.replace("×", "x").replaceAll(",", "")})`,
    isWin: true,
  };
}

/** Announced after a safe cell. */
export function revealedText(round: MinesRound, cell: number): string {
  const safeCells = safeCellsOf(round).length;
  return `Cell ${cell + 1} is safe. ${counted(safeCells, "safe cell")}, ${shownMultiplier(round.mines, safeCells)}. A cash-out pays ${formatWire(round.payout)}.`;
}

/** "$11.25", or a dash without an amount. */
export const payoutText = (cents: number | null): string => (cents === null ? "–" : formatDollars(cents));

/** A round that ended in another tab, reconstructed from its details; null if they do not say how. */
export function settledFrom(known: MinesRound, settled: SettledRound): MinesRound | null {
  const details = minesDetailsOf(settled);
  if (!details) return null;
  const { winAmount } = settled;
  return {
    ...known,
    ...details,
    nextMultiplier: null,
    result: details.hitCell === null ? "cashed_out" : "crashed",
    payout: winAmount,
    winAmount,
  };
}
