import { parseCents } from "@/lib/money";

/** The minimum withdrawal: what is less can never be withdrawn. */
const MIN_WITHDRAWAL_CENTS = 2000;

/** Whether a balance can only be given up. */
export function isRemainder(balance: string): boolean {
  const cents = parseCents(balance);
  return cents !== null && cents > 0 && cents < MIN_WITHDRAWAL_CENTS;
}
