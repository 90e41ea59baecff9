// What can be decided or recorded about a withdrawal next.

import type { AdminWithdrawal } from "../api/admin";
import type { Payout } from "./wording";

export type Action = "approve" | "reject" | "sent" | "confirmed" | "failed" | "returned";

type StepButton = { action: Action; label: string };
const SENT: StepButton = { action: "sent", label: "Mark as Sent" };
const ARRIVED: StepButton = { action: "confirmed", label: "Mark as Arrived" };
const FAILED: StepButton = { action: "failed", label: "Mark as Failed" };
const RETURN: StepButton = { action: "returned", label: "Return Amount" };

const DECISIONS: readonly StepButton[] = [
  { action: "approve", label: "Approve" },
  { action: "reject", label: "Reject" },
];

/** What an administrator can record next. */
function stepsOf(payout: Payout | null): StepButton[] {
  if (payout === null) return [];
  if (payout.state === "failed") return [RETURN];
  const stop = payout.canBeStopped ? [FAILED] : [];
  if (payout.method === "provider") return stop;
  if (payout.state === "claimed") return [SENT, ...stop];
  return payout.state === "sent" ? [ARRIVED, ...stop] : [];
}

export type Steps = { steps: readonly StepButton[]; hindrance: string | null };
type Request = Pick<AdminWithdrawal, "status" | "payout">;

/** What an administrator can do with a request now, and what hinders them if there is something to be done. */
export function stepsFor({ status, payout }: Request, mayDecide: boolean, isOwn: boolean): Steps {
  if (status === "cancelled") return { steps: [], hindrance: "By the player" };
  if (mayDecide && !isOwn) return { steps: status === "pending" ? DECISIONS : stepsOf(payout), hindrance: null };
  if (status !== "pending") return { steps: [], hindrance: null };
  return {
    steps: [],
    hindrance: mayDecide ? "Your own request: another administrator must decide" : "A cashier or an owner decides",
  };
}
