import { api, ApiError, unwrap, errorCode, idempotencyHeader } from "@/api/client";
import { IdempotentSender } from "@/api/idempotent-sender";
import type { components } from "@/api/schema";

// The calls that bring money in and take it out.

type Schemas = components["schemas"];

export type Deposit = Schemas["Deposit"];
export type DepositStatus = Schemas["DepositStatus"];
export type NewDeposit = Schemas["CreateDeposit"];
export type DepositInvoice = Schemas["DepositInvoice"];
/** A deposit that can be paid: the provider has made its invoice. */
export type OpenDeposit = Deposit & { invoiceId: string; invoiceUrl: string };
export type Wagering = Schemas["Wagering"];
export type WageringLine = Schemas["WageringLine"];
export type NewWithdrawal = Schemas["CreateWithdrawal"];
export type Withdrawal = Schemas["Withdrawal"];

/** What is taken of a cryptocurrency at the moment; null where the provider has not said so. */
export type CoinTerms = Schemas["Cryptocurrency"];

/** What of a deposit is on its way: it needs no paying any more. */
const IN_PROGRESS: ReadonlySet<string> = new Set(["confirming", "confirmed", "sending"]);

/** How many invoices a player may leave unpaid. */
export const MAX_UNPAID = 3;

/** Whether the deposit's invoice is still to be paid, by what the list says. */
export const isUnpaid = (deposit: Deposit): deposit is OpenDeposit =>
  isOpen(deposit) && !IN_PROGRESS.has(deposit.externalStatus ?? "");

/** Whether the deposit still waits for its money, and there is a page to pay it on. */
export function isOpen(deposit: Deposit): deposit is OpenDeposit {
  return deposit.status === "pending" && deposit.invoiceId !== null && deposit.invoiceUrl !== null;
}

/**
 * The provider said no or nothing, and no invoice came of it: that is an answer, and its key is used
 * up. That the first call is still under way is none.
 */
export function isDepositDecided(error: unknown): boolean {
  const code = errorCode(error);
  if (code === "deposit_in_progress") return false;
  if (code === "payments_unavailable" || code === "payments_unclear") return true;
  return error instanceof ApiError && error.status < 500;
}

/** The provider may take a while to make an invoice, whose first call goes on although its answer got lost. */
const DEPOSIT_WAITS_MS: readonly number[] = [300, 1200, 3000, 5000, 5000];

// These outlive the dialogs: who closes one after a lost answer, opens it and sends the same again
// still means the same money.
const deposits = new IdempotentSender({ waitsMs: DEPOSIT_WAITS_MS, isDecided: isDepositDecided });
const withdrawals = new IdempotentSender();

/** Asks for an invoice: once, however often it has to be sent. */
export async function createDeposit(body: NewDeposit): Promise<DepositInvoice> {
  const { answer } = await deposits.send(body, async (sent, key) =>
    unwrap(await api.POST("/api/deposits/create", { body: sent, params: idempotencyHeader(key) })),
  );
  return answer;
}

/** Asks for a withdrawal: once, however often it has to be sent. */
export async function createWithdrawal(body: NewWithdrawal): Promise<Withdrawal> {
  const { answer } = await withdrawals.send(body, async (sent, key) =>
    unwrap(await api.POST("/api/withdraw-requests", { body: sent, params: idempotencyHeader(key) })),
  );
  return answer;
}

/** How a deposit stands now. */
export async function fetchDepositStatus(invoiceId: string, signal: AbortSignal): Promise<DepositStatus> {
  return unwrap(await api.GET("/api/deposits/{invoiceId}/status", { params: { path: { invoiceId } }, signal }));
}
