import { type ExactPayout, exactPayout } from "@/lib/fairness/exact-payout";

/** What a cash-out pays: `bet × hundredths / 100`. */
export const crashPayout = (betCents: number, hundredths: number): ExactPayout =>
  exactPayout(betCents, hundredths, 100);

/** The minimum that a cash-out pays: its whole cents. */
export const crashPayoutCents = (betCents: number, hundredths: number): number =>
  crashPayout(betCents, hundredths).cents;
