import type { DepositStatus, OpenDeposit, Withdrawal } from "@/features/wallet/api/wallet";

/** An unpaid deposit of 100 dollars. */
export function openDeposit(changed: Partial<OpenDeposit> = {}): OpenDeposit {
  return {
    id: 1,
    userId: 7,
    amount: "100.00",
    creditedAmount: "0.00",
    currency: "usdtsol",
    orderId: "gh-1",
    status: "pending",
    externalStatus: null,
    isUnderReview: false,
    invoiceId: "4522",
    invoiceUrl: "https://pay.example/4522",
    createdAt: "2026-11-20T10:00:00.000000Z",
    updatedAt: "2026-11-20T10:00:00.000000Z",
    completedAt: null,
    ...changed,
  };
}

/** Its status. */
export function depositStatus(changed: Partial<DepositStatus> = {}): DepositStatus {
  return {
    processed: false,
    external_status: "waiting",
    amount: "100.00",
    creditedAmount: "0.00",
    status: "pending",
    isUnderReview: false,
    invoiceUrl: "https://pay.example/4522",
    ...changed,
  };
}

export const completedStatus = () =>
  depositStatus({ processed: true, external_status: "finished", status: "completed", creditedAmount: "100.00" });

export function withdrawal(changed: Partial<Withdrawal> = {}): Withdrawal {
  return {
    id: 1,
    userId: 7,
    amount: "25.00",
    fee: "0.25",
    netAmount: "24.75",
    currency: "btc",
    walletAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    payout: null,
    status: "pending",
    reason: null,
    createdAt: "2026-11-20T10:00:00.000000Z",
    decidedAt: null,
    payableFrom: null,
    delayReasons: [],
    ...changed,
  };
}
