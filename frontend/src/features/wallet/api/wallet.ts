import { api, errorCode, idempotencyHeader, isDecided, unwrap } from "@/api/client";
import { IdempotentSender } from "@/api/idempotent-sender";
import { withStepUp } from "@/api/step-up";
import type { components } from "@/api/schema";

// The endpoints for deposits and withdrawals.

type Schemas = components["schemas"];

export type Deposit = Schemas["Deposit"];
export type DepositStatus = Schemas["DepositStatus"];
export type NewDeposit = Schemas["CreateDeposit"];
export type DepositInvoice = Schemas["DepositInvoice"];
/** A deposit that can be paid: the provider has created its invoice. */
export type OpenDeposit = Deposit & { invoiceId: string; invoiceUrl: string };
export type Wagering = Schemas["Wagering"];
export type WageringLine = Schemas["WageringLine"];
export type NewWithdrawal = Schemas["CreateWithdrawal"];
export type Withdrawal = Schemas["Withdrawal"];

/** The current limits of a cryptocurrency; null if the provider has not stated them. */
export type CoinTerms = Schemas["Cryptocurrency"];

/** Statuses of payments in progress, which need no action from the player. */
const IN_PROGRESS: ReadonlySet<string> = new Set(["confirming", "confirmed", "sending"]);

/** How many unpaid invoices a player may have. */
export const MAX_UNPAID = 3;

/** Whether the deposit's invoice is still unpaid, according to the list. */
export const isUnpaid = (deposit: Deposit): deposit is OpenDeposit =>
  isOpen(deposit) && !IN_PROGRESS.has(deposit.externalStatus ?? "");

/** Whether the deposit still awaits money and has a payment page. */
export function isOpen(deposit: Deposit): deposit is OpenDeposit {
  return deposit.status === "pending" && deposit.invoiceId !== null && deposit.invoiceUrl !== null;
}

/**
 * If the provider refused or did not respond, no invoice was created: that is a decision, and its key is used up. A
 * first request that is still running is not a decision.
 */
export function isDepositDecided(error: unknown): boolean {
  const code = errorCode(error);
  if (code === "deposit_in_progress") return false;
  if (code === "payments_unavailable" || code === "payments_unclear") return true;
  return isDecided(error);
}

/**
 * The provider may need a while to create an invoice, and the first request continues although its response was lost.
 */
const DEPOSIT_WAITS_MS: readonly number[] = [300, 1200, 3000, 5000, 5000];

// These outlive the dialogs: reopening a dialog after a lost response and sending the same input again is still the
// same request.
const deposits = new IdempotentSender({ waitsMs: DEPOSIT_WAITS_MS, isDecided: isDepositDecided });
const withdrawals = new IdempotentSender();

/** Requests an invoice once, with retries. */
export async function createDeposit(body: NewDeposit): Promise<DepositInvoice> {
  const { answer } = await deposits.send(body, async (sent, key) =>
    unwrap(await api.POST("/api/deposits/create", { body: sent, params: idempotencyHeader(key) })),
  );
  return answer;
}

/** Requests a withdrawal once, with retries. */
export async function createWithdrawal(body: NewWithdrawal): Promise<Withdrawal> {
  const { answer } = await withdrawals.send(body, (sent, key) =>
    withStepUp(async () =>
      unwrap(await api.POST("/api/withdraw-requests", { body: sent, params: idempotencyHeader(key) })),
    ),
  );
  return answer;
}

/** Cancels a pending withdrawal. */
export async function cancelWithdrawal(requestId: number): Promise<Withdrawal> {
  return unwrap(await api.POST("/api/withdraw-requests/{requestId}/cancel", { params: { path: { requestId } } }));
}

/** The current status of a deposit. */
export async function fetchDepositStatus(invoiceId: string, signal: AbortSignal): Promise<DepositStatus> {
  return unwrap(await api.GET("/api/deposits/{invoiceId}/status", { params: { path: { invoiceId } }, signal }));
}
