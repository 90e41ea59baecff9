import { formatDollars, parseAmount } from "./money";
import * as refusals from "./refusals";

/** Why something cannot be done: the title and text of its toast. */
export type Refusal = { title: string; description: string };
export type Limits = { balanceCents: number; maximumCents: number };

/** Why an amount cannot be bet, in the server's order; null if it can. */
export function refuseAmount(amount: string, { balanceCents, maximumCents }: Limits, minimumCents = 1): Refusal | null {
  const cents = parseAmount(amount);
  if (cents === null || cents <= 0) return { title: "Invalid Bet", description: refusals.stakeNotPositive.text };
  if (cents < minimumCents)
    return { title: "Invalid Bet", description: `Minimum allowed is ${formatDollars(minimumCents)}` };
  if (cents > balanceCents) return { title: "Insufficient Balance", description: refusals.insufficientBalance.text };
  if (cents > maximumCents)
    return { title: "Bet Exceeds Limit", description: `Maximum allowed is ${formatDollars(maximumCents)}` };
  return null;
}

/** The cents of a valid stake; null if no figures can be derived from the text. */
export function stakeOf(amount: string): number | null {
  const cents = parseAmount(amount);
  return cents === null || cents <= 0 || cents === Infinity ? null : cents;
}

/** "Roll for $10.00"; without the amount if it is invalid. */
export function withAmount(words: string, amount: string): string {
  const cents = stakeOf(amount);
  return cents === null ? words.replace(/ for$/, "") : `${words} ${formatDollars(cents)}`;
}
