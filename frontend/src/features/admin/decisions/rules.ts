// Validation of the administrators' input, with the messages shown.

import { centsOf, formatDollars, parseCents } from "@/lib/money";
import * as refusals from "@/lib/refusals";
import type { PaymentStatus, Review } from "../api/admin";

/** The reason without surrounding spaces; null if it is empty. */
export const trimmed = (text: string): string | null => (text.trim() === "" ? null : text.trim());

export const BAN_REASON_REQUIRED = refusals.banReasonRequired.text;
export const REJECTION_REASON_REQUIRED = refusals.rejectionReasonRequired.text;
export const BALANCE_INVALID = "Please enter a valid balance (numeric value >= 0)";
export const PAYMENT_ID_REQUIRED = "Please enter a payment ID";
export const STATUS_REASON_REQUIRED = "Please provide a reason for the change";
export const REASON_REQUIRED = refusals.approvalReasonRequired.text;
export const RESOLUTION_REQUIRED = "Please describe the outcome";

/** A user ID as shown in the lists; null if it is invalid. */
export function userIdOf(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text.trim()) : null;
}

export type ConfirmForm = { userId: string; amount: string; currency: string; reason: string };
export type Confirmable = { userId: number; amountCents: number; currency: string; reason: string };
export type ConfirmRefusal = { field: keyof ConfirmForm; text: string };

/**
 * Whether a payment can be credited manually: either nothing of it was credited, or a rest is left. Refunded money
 * cannot be credited.
 */
type Processed = Pick<PaymentStatus, "is_processed" | "reviews" | "status">;
export const isConfirmable = ({ is_processed: isProcessed, reviews, status }: Processed): boolean =>
  status !== "refunded" && (!isProcessed || reviews.includes("overpaid"));

/** What is left of an overpaid payment, if known. */
export function restCentsOf(reviews: readonly Review[], paymentId: string): number | null {
  const overpaid = reviews.find(
    (review) => review.paymentId === paymentId && review.kind === "overpaid" && review.resolvedAt === null,
  );
  return typeof overpaid?.amount === "string" ? centsOf(overpaid.amount) : null;
}

/** The confirmation to send, or the first rule that the form breaks. */
export function readConfirmForm(form: ConfirmForm, restCents: number | null = null): Confirmable | ConfirmRefusal {
  const userId = userIdOf(form.userId);
  if (userId === null) return { field: "userId", text: "User ID is required to confirm a payment" };
  const amountCents = parseCents(form.amount);
  if (amountCents === null || amountCents === 0) return { field: "amount", text: refusals.confirmedAmount.text };
  if (restCents !== null && amountCents > restCents)
    return { field: "amount", text: `At most ${formatDollars(restCents)} of this payment is left to credit` };
  const currency = trimmed(form.currency);
  if (currency === null) return { field: "currency", text: "Please enter a currency" };
  const reason = trimmed(form.reason);
  if (reason === null) return { field: "reason", text: REASON_REQUIRED };
  return { userId, amountCents, currency, reason };
}
