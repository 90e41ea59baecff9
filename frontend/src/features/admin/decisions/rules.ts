// What an administrator's input is refused by, in the words that are shown.

import { centsOf, formatDollars, parseCents } from "@/lib/money";
import * as refusals from "@/lib/refusals";
import type { PaymentStatus, Review } from "../api/admin";

/** The reason as it is sent; null if there is none. */
export const trimmed = (text: string): string | null => (text.trim() === "" ? null : text.trim());

export const BAN_REASON_REQUIRED = refusals.banReasonRequired.text;
export const REJECTION_REASON_REQUIRED = refusals.rejectionReasonRequired.text;
export const BALANCE_INVALID = "Please enter a valid balance (numeric value >= 0)";
export const PAYMENT_ID_REQUIRED = "Please enter a payment ID";
export const STATUS_REASON_REQUIRED = "Please provide a reason for the change";
export const RESOLUTION_REQUIRED = "Please write what was done";

/** The id of a user, as it stands in the lists; null if it is none. */
export function userIdOf(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text.trim()) : null;
}

export type ConfirmForm = { userId: string; amount: string; currency: string };
export type Confirmable = { userId: number; amountCents: number; currency: string };
export type ConfirmRefusal = { field: keyof ConfirmForm; text: string };

/** Whether a payment can be credited by hand: nothing of it was, or a rest is left. Money that was sent back is gone. */
export const isConfirmable = ({ is_processed: isProcessed, reviews, status }: PaymentStatus): boolean =>
  status !== "refunded" && (!isProcessed || reviews.includes("overpaid"));

/** What an overpaid payment has left to be credited, where that is known. */
export function restCentsOf(reviews: readonly Review[], paymentId: string): number | null {
  const overpaid = reviews.find(
    (review) => review.paymentId === paymentId && review.kind === "overpaid" && review.resolvedAt === null,
  );
  return typeof overpaid?.amount === "string" ? centsOf(overpaid.amount) : null;
}

/** What a payment is confirmed with, or the first rule that it breaks. */
export function readConfirmForm(form: ConfirmForm, restCents: number | null = null): Confirmable | ConfirmRefusal {
  const userId = userIdOf(form.userId);
  if (userId === null) return { field: "userId", text: "User ID is required to confirm a payment" };
  const amountCents = parseCents(form.amount);
  if (amountCents === null || amountCents === 0) return { field: "amount", text: refusals.confirmedAmount.text };
  if (restCents !== null && amountCents > restCents)
    return { field: "amount", text: `At most ${formatDollars(restCents)} of this payment is left to credit` };
  const currency = trimmed(form.currency);
  if (currency === null) return { field: "currency", text: "Please enter a currency" };
  return { userId, amountCents, currency };
}
