// The fee of a withdrawal, and its validation in the server's order.

import type { CurrencyCode } from "@/lib/currencies";
import { parseCents } from "@/lib/money";
import * as refusals from "@/lib/refusals";

export const MIN_CENTS = 2000;

export type WithdrawForm = { amount: string; currency: CurrencyCode | ""; walletAddress: string };
export type Funds = { balanceCents: number; availableCents: number };
export type WithdrawRefusal = { field: keyof WithdrawForm; title: string; text: string };

/** 1 % of the amount, rounded up to the cent. It is deducted from the amount sent. */
export function feeCentsOf(amountCents: number): number {
  const rest = amountCents % 100;
  return (amountCents - rest) / 100 + (rest > 0 ? 1 : 0);
}

/** The first rule that a request breaks; null if it can be sent. */
export function refusalOf(
  { amount, currency, walletAddress }: WithdrawForm,
  { balanceCents, availableCents }: Funds,
): WithdrawRefusal | null {
  const cents = parseCents(amount);
  if (cents === null || cents <= 0)
    return { field: "amount", title: "Invalid Amount", text: refusals.withdrawalAmount.text };
  if (cents < MIN_CENTS)
    return { field: "amount", title: "Minimum Withdrawal", text: refusals.withdrawalBelowMinimum.text };
  if (currency === "") return { field: "currency", title: "Currency Required", text: refusals.withdrawalCurrency.text };
  if (walletAddress.trim() === "")
    return { field: "walletAddress", title: "Wallet Address Required", text: refusals.addressMissing.text };
  if (cents > balanceCents)
    return { field: "amount", title: "Insufficient Balance", text: refusals.withdrawalAboveBalance.text };
  if (cents > availableCents) {
    return { field: "amount", title: "Withdrawal Limit Exceeded", text: refusals.notWagered.text };
  }
  return null;
}
