import { api, ApiError, unwrap, errorCode, idempotencyHeader } from "@/api/client";
import type { components } from "@/api/schema";
import type { Role } from "@/api/types";
import * as refusals from "@/lib/refusals";

// The endpoints of the administrators' panel.

type Schemas = components["schemas"];

export type AdminUser = Schemas["AdminUser"];
export type AdminWithdrawal = Schemas["AdminWithdrawal"];
export type AdminGame = Schemas["AdminGame"];
export type AdminDeposit = Schemas["AdminDeposit"];
export type AdminAlert = Schemas["AdminAlert"];
export type AdminLog = Schemas["AdminLog"];
export type PaymentStatus = Schemas["PaymentStatus"];
export type PaymentCheck = Schemas["PaymentCheck"];
export type PaymentConfirmed = Schemas["PaymentConfirmed"];
export type Review = Schemas["Review"];
export type AdminSummary = Schemas["AdminSummary"];
export type HouseDay = Schemas["HouseDay"];
export type HouseGame = Schemas["HouseGame"];
export type Proposal = Schemas["Proposal"];
export type ApprovalOverview = Schemas["ApprovalOverview"];

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

/** Awaits a request of the panel for its body. */
export async function adminCall<T>(call: Promise<{ data?: T }>): Promise<T> {
  return unwrap(await watchAccess(call));
}

/** What came of a decision: it was done, or it needs a second person and was proposed. */
export type Outcome<T> = { done: T } | { proposal: Proposal };

async function outcomeOf<T extends object>(
  call: Promise<{ data?: T | Proposal; response: Response }>,
): Promise<Outcome<T>> {
  const answer = await watchAccess(call);
  const data = unwrap(answer);
  return answer.response.status === ACCEPTED ? { proposal: data as Proposal } : { done: data as T };
}
const ACCEPTED = 202;

export const fetchSummary = () => adminCall(api.GET("/api/admin/summary"));
export const fetchHouse = (days: number) => adminCall(api.GET("/api/admin/house", { params: { query: { days } } }));

/** What waits for an administrator. */
export type PendingWork = Schemas["PendingWork"];
export const fetchPendingWork = () => adminCall(api.GET("/api/admin/pending-work"));

/** The user's current data; null if there is no such user. */
export async function fetchUser(userId: number): Promise<AdminUser | null> {
  try {
    return await adminCall(api.GET("/api/admin/users/{userId}", { params: { path: { userId } } }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
/** What sums up a player. */
export type PlayerOverview = Schemas["PlayerOverview"];
/** Something that happened with a player. */
export type TimelineEntry = Schemas["TimelineEntry"];
/** What a call returns; null if there is no such thing. */
async function ifFound<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** What sums up a player; null if there is no such user. */
export const fetchPlayer = (userId: number): Promise<PlayerOverview | null> =>
  ifFound(adminCall(api.GET("/api/admin/users/{userId}/overview", { params: { path: { userId } } })));
/** Whom an act is about. */
export type PlayerRef = Pick<AdminUser, "id" | "username">;
export type UserSession = Schemas["UserSession"];
/** Adds a note about a player, which is a record of the audit log. */
export const addNote = (userId: number, body: { text: string }, key: string) =>
  adminCall(
    api.POST("/api/admin/users/{userId}/notes", {
      params: { path: { userId }, ...idempotencyHeader(key) },
      body,
    }),
  );
export const fetchSessions = (userId: number): Promise<UserSession[]> =>
  adminCall(api.GET("/api/admin/users/{userId}/sessions", { params: { path: { userId } } }));
/** Ends all sessions of a user, which the audit log records. */
export const endSessions = (userId: number, body: { reason: string }, key: string) =>
  adminCall(
    api.POST("/api/admin/users/{userId}/end-sessions", {
      params: { path: { userId }, ...idempotencyHeader(key) },
      body,
    }),
  );
export type AdminRound = Schemas["AdminRound"];
/** A round of any player with its replay; null if there is none. */
export const fetchRound = (roundId: number): Promise<AdminRound | null> =>
  ifFound(adminCall(api.GET("/api/admin/rounds/{roundId}", { params: { path: { roundId } } })));
export type AdminPayment = Schemas["AdminPayment"];
/** Everything that the house knows of a payment; null if it does not know it. */
export const fetchPayment = (paymentId: string): Promise<AdminPayment | null> =>
  ifFound(adminCall(api.GET("/api/admin/payments/{paymentId}", { params: { path: { paymentId } } })));
export type WithdrawalPage = Schemas["WithdrawalPage"];
/** Everything that the house knows of a withdrawal; null if there is none. */
export const fetchWithdrawal = (withdrawalId: number): Promise<WithdrawalPage | null> =>
  ifFound(adminCall(api.GET("/api/admin/withdrawals/{withdrawalId}", { params: { path: { withdrawalId } } })));
/** Users whose name or ID contains the text. */
export const searchUsers = (search: string, limit: number) =>
  adminCall(api.GET("/api/admin/users", { params: { query: { search, limit } } }));
export const fetchNewestUsers = (limit: number) =>
  adminCall(api.GET("/api/admin/users", { params: { query: { sort: "newest", limit } } }));

export type StatusDecision = { status: "banned"; banReason: string } | { status: "active" };
export const setStatus = (userId: number, body: StatusDecision, key: string) =>
  adminCall(
    api.POST("/api/admin/users/{userId}/status", { params: { path: { userId }, ...idempotencyHeader(key) }, body }),
  );
/** `expectedBalance` is the balance that the administrator saw: if it has changed since, the server refuses. */
export type BalanceDecision = { balance: string; expectedBalance: string; reason: string; propose?: true };
export const setBalance = (userId: number, body: BalanceDecision, key: string) =>
  outcomeOf<AdminUser>(
    api.POST("/api/admin/users/{userId}/balance", { params: { path: { userId }, ...idempotencyHeader(key) }, body }),
  );

export type RoleDecision = { role: Role; reason: string };
export const changeRole = (userId: number, body: RoleDecision, key: string) =>
  outcomeOf<AdminUser>(
    api.POST("/api/admin/users/{userId}/role", { params: { path: { userId }, ...idempotencyHeader(key) }, body }),
  );

export type WithdrawalDecision = { action: "approve"; propose?: true } | { action: "reject"; reason: string };
export const processWithdrawal = (requestId: number, body: WithdrawalDecision, key: string) =>
  outcomeOf<AdminWithdrawal>(
    api.POST("/api/admin/withdraw-requests/{requestId}/process", {
      params: { path: { requestId }, ...idempotencyHeader(key) },
      body,
    }),
  );

/** What has happened to the payment of an approved withdrawal. */
export type PayoutRecord = Schemas["PayoutRecord"];
export const recordPayout = (requestId: number, body: PayoutRecord, key: string) =>
  adminCall(
    api.POST("/api/admin/withdraw-requests/{requestId}/payout", {
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
  reason: string;
  propose?: true;
};
export const confirmPayment = (body: PaymentToConfirm, key: string) =>
  outcomeOf<PaymentConfirmed>(api.POST("/api/admin/confirm-payment", { params: idempotencyHeader(key), body }));
export const resolveReview = (reviewId: number, resolution: string, key: string) =>
  adminCall(
    api.POST("/api/admin/reviews/{reviewId}/resolve", {
      params: { path: { reviewId }, ...idempotencyHeader(key) },
      body: { resolution },
    }),
  );
/** Says that the administrator takes care of an alert. */
export const acknowledgeAlert = (alertId: number, key: string) =>
  adminCall(
    api.POST("/api/admin/alerts/{alertId}/acknowledge", { params: { path: { alertId }, ...idempotencyHeader(key) } }),
  );

export const fetchApproval = () => adminCall(api.GET("/api/admin/approval"));

export type ThresholdsDecision = Schemas["ApprovalThresholds"] & { reason: string };
export const proposeThresholds = (body: ThresholdsDecision, key: string) =>
  adminCall(api.POST("/api/admin/approval/thresholds", { params: idempotencyHeader(key), body }));

export type ProposalDecision = { decision: "approve" | "withdraw" } | { decision: "refuse"; reason: string };
export function decideProposal(proposalId: number, body: ProposalDecision, key: string): Promise<Proposal> {
  const params = { path: { proposalId }, ...idempotencyHeader(key) };
  if (body.decision === "refuse") {
    const { reason } = body;
    return adminCall(api.POST("/api/admin/proposals/{proposalId}/refuse", { params, body: { reason } }));
  }
  if (body.decision === "withdraw")
    return adminCall(api.POST("/api/admin/proposals/{proposalId}/withdraw", { params }));
  return adminCall(api.POST("/api/admin/proposals/{proposalId}/approve", { params }));
}

/** Throws the same error as a decision if the session must be confirmed first. */
export async function requireStepUp(): Promise<void> {
  const { validUntil } = await adminCall(api.GET("/api/admin/step-up"));
  if (validUntil) return;
  const { status, text } = refusals.stepUpRequired;
  throw new ApiError(status, text, { code: "step_up_required", message: text });
}
