import { api, ApiError, unwrap, errorCode, idempotencyHeader } from "@/api/client";
import type { components } from "@/api/schema";
import * as refusals from "@/lib/refusals";

// The endpoints of the administrators' panel.

type Schemas = components["schemas"];

export type AdminUser = Schemas["AdminUser"];
export type AdminWithdrawal = Schemas["AdminWithdrawal"];
export type AdminGame = Schemas["AdminGame"];
export type AdminDeposit = Schemas["AdminDeposit"];
export type AdminLog = Schemas["AdminLog"];
export type PaymentStatus = Schemas["PaymentStatus"];
export type PaymentCheck = Schemas["PaymentCheck"];
export type PaymentConfirmed = Schemas["PaymentConfirmed"];
export type Review = Schemas["Review"];
export type AdminSummary = Schemas["AdminSummary"];
export type HouseDay = Schemas["HouseDay"];
export type HouseGame = Schemas["HouseGame"];

const listeners = new Set<() => void>();

/** Calls the listener when the server reports that this user is no longer an administrator. */
export function onAdminAccessLost(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Awaits a request of the panel and notifies the listeners if access was lost. */
export async function watchAccess<A>(call: Promise<A>): Promise<A> {
  try {
    return await call;
  } catch (error) {
    if (errorCode(error) === "forbidden") for (const listener of listeners) listener();
    throw error;
  }
}

async function adminCall<T>(call: Promise<{ data?: T }>): Promise<T> {
  return unwrap(await watchAccess(call));
}

export const fetchSummary = () => adminCall(api.GET("/api/admin/summary"));
export const fetchHouse = (days: number) => adminCall(api.GET("/api/admin/house", { params: { query: { days } } }));

/** The user's current data; null if there is no such user. */
export async function fetchUser(userId: number): Promise<AdminUser | null> {
  try {
    return await adminCall(api.GET("/api/admin/users/{userId}", { params: { path: { userId } } }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
export const fetchNewestUsers = (limit: number) =>
  adminCall(api.GET("/api/admin/users", { params: { query: { sort: "newest", limit } } }));

export type StatusDecision = { status: "banned"; banReason: string } | { status: "active" };
export const setStatus = (userId: number, body: StatusDecision, key: string) =>
  adminCall(
    api.POST("/api/admin/users/{userId}/status", { params: { path: { userId }, ...idempotencyHeader(key) }, body }),
  );
/** `expectedBalance` is the balance that the administrator saw: if it has changed since, the server refuses. */
export type BalanceDecision = { balance: string; expectedBalance: string };
export const setBalance = (userId: number, body: BalanceDecision, key: string) =>
  adminCall(
    api.POST("/api/admin/users/{userId}/balance", { params: { path: { userId }, ...idempotencyHeader(key) }, body }),
  );

export type WithdrawalDecision = { action: "approve" } | { action: "reject"; reason: string };
export const processWithdrawal = (requestId: number, body: WithdrawalDecision, key: string) =>
  adminCall(
    api.POST("/api/admin/withdraw-requests/{requestId}/process", {
      params: { path: { requestId }, ...idempotencyHeader(key) },
      body,
    }),
  );

/** A payment and an invoice can have the same ID. */
export type PaymentIdType = Schemas["PaymentIdType"];
/** Asks the provider and settles the result; without a type, whichever has that ID. */
export const checkPayment = (paymentId: string, idType?: PaymentIdType) =>
  adminCall(
    api.POST("/api/admin/check-payment/{paymentId}", {
      params: { path: { paymentId }, query: idType === undefined ? {} : { idType } },
    }),
  );
export type PaymentToConfirm = {
  invoiceId: string;
  idType: PaymentIdType;
  userId: number;
  amount: string;
  currency: string;
};
export const confirmPayment = (body: PaymentToConfirm, key: string) =>
  adminCall(api.POST("/api/admin/confirm-payment", { params: idempotencyHeader(key), body }));
export const resolveReview = (reviewId: number, resolution: string, key: string) =>
  adminCall(
    api.POST("/api/admin/reviews/{reviewId}/resolve", {
      params: { path: { reviewId }, ...idempotencyHeader(key) },
      body: { resolution },
    }),
  );

/** Throws the same error as a decision if the session must be confirmed first. */
export async function requireStepUp(): Promise<void> {
  const { validUntil } = await adminCall(api.GET("/api/admin/step-up"));
  if (validUntil) return;
  const { status, text } = refusals.stepUpRequired;
  throw new ApiError(status, text, { code: "step_up_required", message: text });
}
