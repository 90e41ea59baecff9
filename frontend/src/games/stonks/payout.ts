import { type ExactPayout, exactPayout } from "@/lib/fairness/exact-payout";

/** What a sale pays: `bet × thousandths / 1000`. */
export const stonksPayout = (betCents: number, thousandths: number): ExactPayout =>
  exactPayout(betCents, thousandths, 1000);

/** The minimum that a sale pays: its whole cents. */
export const stonksPayoutCents = (betCents: number, thousandths: number): number =>
  stonksPayout(betCents, thousandths).cents;
