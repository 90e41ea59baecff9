import type { DiceBetType } from "@/api/types";
import { type Limits, type Refusal, refuseAmount } from "@/lib/bet-rules";
import { dicePayoutCents, winningNumbers } from "@/lib/fairness/dice";
import { parseCents } from "@/lib/money";

export type { Limits, Refusal } from "@/lib/bet-rules";
export type DiceForm = { amount: string; target: number; side: DiceBetType };

/** Why a bet cannot be placed, in the order in which it is checked; null if it can. */
export function refuseBet({ amount, target }: DiceForm, limits: Limits): Refusal | null {
  const refusal = refuseAmount(amount, limits);
  if (refusal) return refusal;
  if (!Number.isInteger(target) || target < 1 || target > 98) {
    return { title: "Invalid Target", description: "Target number must be between 1 and 98" };
  }
  return null;
}

/** What a bet offers, for showing before it is placed; the server computes what is paid. */
export function offer({ amount, target, side }: DiceForm) {
  const cents = parseCents(amount) ?? 0;
  const winning = winningNumbers(target, side);
  const payoutCents = winning > 0 && winning < 100 ? dicePayoutCents(cents, target, side) : 0;
  return {
    chance: winning / 100,
    // Shown only, rounded down to four decimals.
    multiplier: (Math.floor(990_000 / Math.max(1, winning)) / 10_000).toFixed(4).replace(/0{1,2}$/, ""),
    payoutCents,
    profitCents: payoutCents - cents,
  };
}
