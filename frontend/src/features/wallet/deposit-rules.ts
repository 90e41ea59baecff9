// Validation of a deposit, in the server's order.

import type { CurrencyCode } from "@/lib/currencies";
import { parseCents } from "@/lib/money";
import * as refusals from "@/lib/refusals";

export type DepositForm = { amount: string; currency: CurrencyCode | "" };
export type DepositRefusal = { field: keyof DepositForm; title: string; text: string };

/** The first rule that a deposit breaks; null if it can be sent. */
export function refusalOf({ amount, currency }: DepositForm): DepositRefusal | null {
  const cents = parseCents(amount);
  if (cents === null || cents <= 0)
    return { field: "amount", title: "Invalid Amount", text: refusals.depositAmount.text };
  if (currency === "") return { field: "currency", title: "Currency Required", text: refusals.depositCurrency.text };
  return null;
}
