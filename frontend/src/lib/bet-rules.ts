import { formatCents, parseCents } from "./money";

export type Refusal = { title: string; description: string };
export type Limits = { balanceCents: number; maximumCents: number };

const dollars = (cents: number): string => `$${formatCents(cents).replaceAll(",", "")}`;

/** Why an amount cannot be bet, in the order in which it is checked; null if it can. */
export function refuseAmount(amount: string, { balanceCents, maximumCents }: Limits, minimumCents = 1): Refusal | null {
  const cents = parseCents(amount);
  if (cents === null || cents <= 0) return { title: "Invalid Bet", description: "Bet amount must be greater than 0" };
  if (cents < minimumCents) return { title: "Invalid Bet", description: `Minimum allowed is ${dollars(minimumCents)}` };
  if (cents > balanceCents) return { title: "Insufficient Balance", description: "You don't have enough funds to place this bet" };
  if (cents > maximumCents) return { title: "Bet Exceeds Limit", description: `Maximum allowed is ${dollars(maximumCents)}` };
  return null;
}
