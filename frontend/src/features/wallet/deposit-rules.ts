// By what a deposit is refused, in the order in which it is looked at.

import type { CurrencyCode } from "@/lib/currencies";
import { parseCents } from "@/lib/money";

export type DepositForm = { amount: string; currency: CurrencyCode | "" };
export type DepositRefusal = { field: keyof DepositForm; title: string; text: string };

/** The first rule that a deposit breaks; null if it can be sent. */
export function refusalOf({ amount, currency }: DepositForm): DepositRefusal | null {
  const cents = parseCents(amount);
  if (cents === null || cents <= 0) return { field: "amount", title: "Invalid Amount", text: "Please enter a valid deposit amount" };
  if (currency === "") return { field: "currency", title: "Currency Required", text: "Please select a cryptocurrency" };
  return null;
}
