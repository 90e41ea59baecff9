// What an administrator can decide or record about a withdrawal, and the dialog for it.

import { useUser } from "@/api/session";
import type { AdminWithdrawal } from "../api/admin";
import { FailedDialog, type PayoutDialogProps, SentDialog, SimpleDialog } from "../decisions/payout-dialogs";
import { ApproveDialog, RejectDialog, type WithdrawalDialogProps } from "../decisions/withdrawal-dialogs";
import { usePermission } from "../permissions";
import { type Action, type Steps, stepsFor } from "./steps";

export type OpenDialog = { action: Action; request: AdminWithdrawal };

/** What this administrator can do with a request. */
export function useSteps(request: AdminWithdrawal): Steps {
  const mayDecide = usePermission("decide_withdrawals");
  const isOwn = useUser()?.id === request.userId;
  return stepsFor(request, mayDecide, isOwn);
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
