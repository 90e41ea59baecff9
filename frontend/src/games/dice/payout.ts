import { type ExactPayout, exactPayout } from "@/lib/fairness/exact-payout";

export type DiceSide = "over" | "under";

/** How many of the hundred rolls win. */
export const winningNumbers = (target: number, side: DiceSide): number => (side === "over" ? 100 - target : target);

/** What a win pays: `bet × 99 / winning numbers`. */
export const dicePayout = (betCents: number, target: number, side: DiceSide): ExactPayout =>
  exactPayout(betCents, 99, winningNumbers(target, side));

/** The minimum that a win pays: its whole cents. */
export const dicePayoutCents = (betCents: number, target: number, side: DiceSide): number =>
  dicePayout(betCents, target, side).cents;
