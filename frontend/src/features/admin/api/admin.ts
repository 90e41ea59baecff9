import { api, ApiError, bodyOf, codeOf, headerOf } from "@/api/client";
import type { components } from "@/api/schema";

// The calls of the administrators' panel. As with the games, the generated types have every null as
// something that may also be missing; the server writes nulls out, so `Required` says what is there.

type Schemas = components["schemas"];

export type AdminUser = Required<Schemas["AdminUser"]>;
export type AdminWithdrawal = Required<Schemas["AdminWithdrawal"]>;
export type AdminGame = Required<Schemas["AdminGame"]>;
export type AdminDeposit = Required<Schemas["AdminDeposit"]>;
export type AdminLog = Required<Schemas["AdminLog"]>;
export type PaymentStatus = Required<Schemas["PaymentStatus"]>;
export type PaymentCheck = Required<Schemas["PaymentCheck"]>;
export type PaymentConfirmed = Required<Schemas["PaymentConfirmed"]>;
export type Review = Required<Schemas["Review"]>;
export type AdminSummary = Required<Schemas["AdminSummary"]>;
export type HouseDay = Required<Schemas["HouseReport"]["days"][number]>;
export type HouseGame = Required<Schemas["HouseReport"]["games"][number]>;
export type HouseReport = { days: HouseDay[]; games: HouseGame[] };

const listeners = new Set<() => void>();

/** Calls the listener when the server no longer takes this user for an administrator. */
export function onAdministratorRefused(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What a call answers; everything of the panel is asked for through here. */
export async function answerOf<A extends { data?: unknown; response: Response }>(call: Promise<A>): Promise<A> {
  try {
    return await call;
  } catch (error) {
    if (codeOf(error) === "forbidden") for (const listener of listeners) listener();
    throw error;
  }
}

async function asked<T>(call: Promise<{ data?: unknown; response: Response }>): Promise<T> {
  return bodyOf<T>(await answerOf(call));
}

export const fetchSummary = () => asked<AdminSummary>(api.GET("/api/admin/summary"));
export const fetchHouse = (days: number) => asked<HouseReport>(api.GET("/api/admin/house", { params: { query: { days } } }));

/** The user as things are now; null if there is none of that id. */
export async function fetchUser(userId: number): Promise<AdminUser | null> {
  try {
    return await asked<AdminUser>(api.GET("/api/admin/users/{userId}", { params: { path: { userId } } }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
export const fetchNewestUsers = (limit: number) => asked<AdminUser[]>(api.GET("/api/admin/users", { params: { query: { sort: "newest", limit } } }));

export type StatusDecision = { status: "banned"; banReason: string } | { status: "active" };
export const setStatus = (userId: number, body: StatusDecision, key: string) =>
  asked<AdminUser>(api.POST("/api/admin/users/{userId}/status", { params: { path: { userId }, ...headerOf(key) }, body }));
/** `expectedBalance` is what the administrator saw: if it is another by now, nothing is changed. */
export type BalanceDecision = { balance: string; expectedBalance: string };
export const setBalance = (userId: number, body: BalanceDecision, key: string) =>
  asked<AdminUser>(api.POST("/api/admin/users/{userId}/balance", { params: { path: { userId }, ...headerOf(key) }, body }));

export type WithdrawalDecision = { action: "approve" } | { action: "reject"; reason: string };
export const processWithdrawal = (requestId: number, body: WithdrawalDecision, key: string) =>
  asked<AdminWithdrawal>(api.POST("/api/admin/withdraw-requests/{requestId}/process", { params: { path: { requestId }, ...headerOf(key) }, body }));

/** A payment and an invoice can have the same id. */
export type PaymentIdType = "payment" | "invoice";
/** Asks the provider, and settles what it says; without a type, whatever has that id. */
export const checkPayment = (paymentId: string, idType?: PaymentIdType) =>
  asked<PaymentCheck>(api.POST("/api/admin/check-payment/{paymentId}", { params: { path: { paymentId }, query: idType === undefined ? {} : { idType } } }));
export type PaymentToConfirm = { invoiceId: string; idType: PaymentIdType; userId: number; amount: string; currency: string };
export const confirmPayment = (body: PaymentToConfirm, key: string) => asked<PaymentConfirmed>(api.POST("/api/admin/confirm-payment", { params: headerOf(key), body }));
export const resolveReview = (reviewId: number, resolution: string, key: string) =>
  asked<Review>(api.POST("/api/admin/reviews/{reviewId}/resolve", { params: { path: { reviewId }, ...headerOf(key) }, body: { resolution } }));

/** Fails as a decision does where the password must be entered again first. */
export async function requireStepUp(): Promise<void> {
  const { validUntil } = await asked<{ validUntil?: string | null }>(api.GET("/api/admin/step-up"));
  if (validUntil) return;
  const message = "Please enter your password again to continue.";
  throw new ApiError(403, message, { code: "step_up_required", message });
}

/** Takes the administrator's password, so that money can be decided on for a while. */
export const stepUp = (password: string) => asked<unknown>(api.POST("/api/admin/step-up", { body: { password } }));
