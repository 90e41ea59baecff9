import type { AdminPayment, AdminWithdrawal, Proposal, WithdrawalPage } from "@/features/admin/api/admin";

type Facts = NonNullable<AdminPayment["facts"]>;
type Payout = NonNullable<AdminWithdrawal["payout"]>;
type Course = NonNullable<WithdrawalPage["course"]>;

/** A time of one hour. */
export const minute = (number: number): string => `2026-11-26T12:${String(number).padStart(2, "0")}:00.000000Z`;

export const ADA = { id: 2, username: "ada" };
export const ANN = { id: 7, username: "ann" };
export const BEN = { id: 8, username: "ben" };

/** An open proposal of ann to credit payment 51 to ada. */
export const proposal = (changed: Partial<Proposal> = {}): Proposal => ({
  id: 4,
  kind: "confirm_payment",
  amount: "700.00",
  user: ADA,
  reason: "it has arrived",
  cause: "More than $500.00",
  summary: "confirm a payment: payment 51, 700.00 paid in BTC",
  terms: {
    oldBalance: null,
    newBalance: null,
    paymentId: "51",
    currency: "BTC",
    withdrawalId: null,
    oldRole: null,
    newRole: null,
    thresholds: null,
  },
  proposedBy: ANN,
  proposedAt: minute(5),
  expiresAt: minute(59),
  state: "open",
  decidedBy: null,
  decidedAt: null,
  decisionReason: null,
  canDecide: true,
  isOwn: false,
  ...changed,
});

/** What is known of a payment in part. */
export const paymentFacts = (changed: Partial<Facts> = {}): Facts => ({
  status: "partially_paid",
  standing: "tracked",
  parentId: null,
  payCurrency: "btc",
  payAmount: "0.01",
  actuallyPaid: "0.004",
  rateAmount: null,
  rateCurrency: null,
  creditedAmount: "40.00",
  priceAmount: "100.00",
  priceCurrency: "usd",
  payAddress: null,
  transactionHash: null,
  orderId: null,
  invoiceId: null,
  outcomeAmount: null,
  outcomeCurrency: null,
  firstSeenAt: minute(1),
  updatedAt: minute(3),
  checkedAt: null,
  receivedAt: minute(2),
  ...changed,
});

/** Payment 51, of which nothing is known yet. */
export const payment = (changed: Partial<AdminPayment> = {}): AdminPayment => ({
  paymentId: "51",
  facts: null,
  deposit: null,
  credits: [],
  reviews: [],
  proposals: [],
  notificationWaitsSince: null,
  nextAttemptAt: null,
  ...changed,
});

/** An open review of payment 51. */
export const review = (changed: Partial<AdminPayment["reviews"][number]> = {}): AdminPayment["reviews"][number] => ({
  id: 6,
  kind: "overpaid",
  paymentId: "51",
  paymentStatus: "finished",
  depositId: 3,
  userId: ADA.id,
  username: ADA.username,
  amount: "700.00",
  actuallyPaid: "0.22",
  payCurrency: "btc",
  details: "2200.00 against a price of 1000.00",
  openedAt: minute(4),
  resolvedAt: null,
  resolvedBy: null,
  resolution: null,
  ...changed,
});

/** A pending request of ada. */
export const withdrawal = (changed: Partial<AdminWithdrawal> = {}): AdminWithdrawal => ({
  id: 17,
  userId: ADA.id,
  user: ADA,
  amount: "30.00",
  fee: "0.30",
  netAmount: "29.70",
  currency: "btc",
  walletAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  status: "pending",
  reason: null,
  createdAt: minute(0),
  decidedAt: null,
  decidedBy: null,
  payableFrom: null,
  delayReasons: [],
  payout: null,
  playerTotals: null,
  risk: { points: 10, factors: ["first_use"] },
  ...changed,
});

/** A payment by hand that was taken up. */
export const payout = (changed: Partial<Payout> = {}): Payout => ({
  state: "claimed",
  method: "manual",
  canBeStopped: true,
  coinAmount: null,
  networkFee: null,
  rate: null,
  transactionId: null,
  transactionUrl: null,
  sentAt: null,
  confirmedAt: null,
  failedAt: null,
  failedBy: null,
  returnedAt: null,
  verifiedAt: null,
  stoppedAt: null,
  stopReason: null,
  nextStepAt: null,
  problem: null,
  ...changed,
});

export const course = (changed: Partial<Course> = {}): Course => ({
  claimedAt: minute(1),
  requestedAt: null,
  externalId: "house-17",
  providerId: null,
  batchId: null,
  failedCalls: 0,
  refusedCodes: 0,
  sentBy: null,
  confirmedBy: null,
  failedBy: null,
  returnedBy: null,
  stoppedBy: null,
  ...changed,
});

export const withdrawalPage = (changed: Partial<WithdrawalPage> = {}): WithdrawalPage => ({
  request: withdrawal(),
  address: { addedAt: null, firstRequestedAt: minute(0), requests: 1, usableFrom: null },
  course: null,
  proposals: [],
  ledgerEntries: [],
  ...changed,
});
