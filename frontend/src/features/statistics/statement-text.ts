import type { DailyStatement } from "./api";
import { centsOf, formatWire } from "@/lib/money";

export const isNothing = (amount: string): boolean => centsOf(amount) === 0;

/** "Staked $5.00, paid $4.00": what happened on a day, without what did not. */
export function changesText({ deposits, withdrawals, adjustments, staked, paid }: DailyStatement): string {
  const text = Object.entries({ deposits, withdrawals, adjustments, staked, paid })
    .filter(([, amount]) => !isNothing(amount))
    .map(([name, amount]) => `${name} ${formatWire(amount)}`)
    .join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
