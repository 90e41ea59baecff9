// How the panel words proposals and thresholds.

import type { ApprovalOverview, Proposal } from "../api/admin";

export const KIND_NAMES: Record<Proposal["kind"], string> = {
  adjust_balance: "Adjust balance",
  confirm_payment: "Confirm payment",
  approve_withdrawal: "Approve withdrawal",
  change_role: "Change role",
  change_thresholds: "Change thresholds",
};

/** The thresholds in the order of the panel. */
export const THRESHOLDS = [
  { name: "adjustment", label: "One adjustment" },
  { name: "confirmation", label: "One manual confirmation" },
  { name: "withdrawal", label: "One withdrawal" },
  { name: "personPerDay", label: "One person in a day" },
  { name: "housePerDay", label: "All persons in a day" },
  { name: "automaticWithdrawal", label: "Automatic withdrawals of a player in a day" },
] as const satisfies readonly { name: keyof ApprovalOverview["thresholds"]; label: string }[];

/** What needs a second person, and who could be one. */
const ACTS = {
  adjustBalances: "adjustments above the threshold",
  confirmPayments: "manual confirmations above the threshold, or of more than a payment is worth",
  decideWithdrawals: "withdrawals above the threshold",
  changeRoles: "roles that permit more",
  changeThresholds: "other thresholds",
} as const satisfies Record<keyof ApprovalOverview["secondPerson"], string>;

/** What is not available because nobody else could approve it. */
export const unavailableActs = ({ secondPerson }: ApprovalOverview): string[] =>
  (Object.keys(ACTS) as (keyof typeof ACTS)[]).filter((act) => !secondPerson[act]).map((act) => ACTS[act]);
