// How the panel words the risk and the payment of withdrawals.

import type { AdminWithdrawal } from "../api/admin";

type RiskFactor = AdminWithdrawal["risk"]["factors"][number];
export type Payout = NonNullable<AdminWithdrawal["payout"]>;

export const RISKS: Record<RiskFactor, string> = {
  shared_address: "others use the address",
  open_review: "open review",
  security_change: "recent security change",
  no_deposit: "no deposit",
  high_profit: "high profit",
  little_wagered: "little wagered",
  first_use: "first use of the address",
};

/** Whose request it is, with the ID in case names are similar. */
export const userOf = ({ user, userId }: AdminWithdrawal): string => `${user.username} #${userId}`;

/** Who pays it. */
export const METHODS: Record<Payout["method"], string> = { provider: "By the provider", manual: "By hand" };

/** What comes next, as the state of a payment. */
export const PAYOUT_STATES: Record<Payout["state"], string> = {
  claimed: "To pay",
  sent: "Sent",
  confirmed: "Arrived",
  failed: "Failed",
  returned: "Returned",
};

/** The filters of the queue: what is pending first, then what is being paid, then what is over. */
export const STATUSES = [
  { value: "pending", label: "Pending" },
  { value: "claimed", label: "To pay" },
  { value: "sent", label: "Sent" },
  { value: "failed", label: "Failed" },
  { value: "confirmed", label: "Arrived" },
  { value: "returned", label: "Returned" },
  { value: "approved", label: "Approved" },
  { value: "rejected", label: "Rejected" },
  { value: "cancelled", label: "Cancelled" },
  { value: "all", label: "All requests" },
] as const;
export type Status = (typeof STATUSES)[number]["value"];

export const SORTS = [
  { value: "newest", label: "Newest first" },
  { value: "oldest", label: "Oldest first" },
  { value: "risk", label: "Most risk first" },
  { value: "amount", label: "Largest first" },
] as const;
export type Sort = (typeof SORTS)[number]["value"];

const isPayoutState = (status: Status): status is Payout["state"] => status in PAYOUT_STATES;

/** The orders that a list of this status can have. */
export const sortsOf = (status: Status): readonly { value: Sort; label: string }[] =>
  status === "pending" ? SORTS : SORTS.slice(0, 2);

/** The filter and the order as the server knows them. By risk and amount, it lists pending requests only. */
export function filterOf(status: Status, sort: Sort) {
  const canSort = status === "pending" || sort === "oldest";
  return {
    status: status === "all" || isPayoutState(status) ? undefined : status,
    payout: isPayoutState(status) ? status : undefined,
    sort: sort === "newest" || !canSort ? undefined : sort,
  };
}
