// What an administrator can decide or record about a withdrawal, and the dialog for it.

import { useUser } from "@/api/session";
import type { AdminWithdrawal } from "../api/admin";
import { FailedDialog, type PayoutDialogProps, SentDialog, SimpleDialog } from "../decisions/payout-dialogs";
import { ApproveDialog, RejectDialog, type WithdrawalDialogProps } from "../decisions/withdrawal-dialogs";
import { usePermission } from "../permissions";
import type { Payout } from "./wording";

type Action = "approve" | "reject" | "sent" | "confirmed" | "failed" | "returned";
export type OpenDialog = { action: Action; request: AdminWithdrawal };

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

/** What this administrator can do with a request now, and what hinders them if there is something to be done. */
export function useSteps({ status, userId, payout }: AdminWithdrawal): {
  steps: readonly StepButton[];
  hindrance: string | null;
} {
  const mayDecide = usePermission("decide_withdrawals");
  const isOwn = useUser()?.id === userId;
  if (status === "cancelled") return { steps: [], hindrance: "By the player" };
  if (mayDecide && !isOwn) return { steps: status === "pending" ? DECISIONS : stepsOf(payout), hindrance: null };
  if (status !== "pending") return { steps: [], hindrance: null };
  return {
    steps: [],
    hindrance: mayDecide ? "Your own request: another administrator must decide" : "A cashier or an owner decides",
  };
}

type DecisionProps = WithdrawalDialogProps & PayoutDialogProps & { action: Action };

/** The dialog of an action. */
export function DecisionOf({ action, ...handlers }: DecisionProps) {
  switch (action) {
    case "approve":
      return <ApproveDialog {...handlers} />;
    case "reject":
      return <RejectDialog {...handlers} />;
    case "sent":
      return <SentDialog {...handlers} />;
    case "failed":
      return <FailedDialog {...handlers} />;
    case "confirmed":
    case "returned":
      return <SimpleDialog {...handlers} action={action} />;
  }
}
