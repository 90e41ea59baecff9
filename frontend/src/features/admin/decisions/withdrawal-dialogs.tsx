// Approving and rejecting a withdrawal, each with its effect in numbers.

import { currencyLabel } from "@/lib/currencies";
import { formatDateTime } from "@/lib/format";
import { formatWire } from "@/lib/money";
import { delayReasonsText } from "@/lib/withdrawal-delay";
import { type AdminWithdrawal, processWithdrawal, type Proposal, type WithdrawalDecision } from "../api/admin";
import { useApproval } from "../approvals/use-approval";
import { GroupedAddress } from "../lists/cells";
import { DecisionDialog, Facts } from "./decision-dialog";
import { ReasonField, useReason } from "./reason-field";
import { REJECTION_REASON_REQUIRED } from "./rules";
import { userOf } from "../withdrawals/wording";
import { outcomeMessages, SecondPersonNotice, useSecondPerson } from "./second-person";
import { useDecision, useIdempotentCall } from "./use-decision";

export type WithdrawalDialogProps = {
  request: AdminWithdrawal;
  onCancel(): void;
  onDone(request: AdminWithdrawal): void;
  onProposed(proposal: Proposal): void;
  onConflict(): void;
  onUnsure(): void;
};
const MESSAGES = {
  success: "Withdrawal request processed successfully",
  fallback: "Failed to process withdrawal request",
};

const useProcessing = (requestId: number) =>
  useIdempotentCall((decision: WithdrawalDecision, key) => processWithdrawal(requestId, decision, key));

/** Until then the server refuses the approval. */
function delayFacts({ payableFrom, delayReasons }: AdminWithdrawal): [string, string][] {
  if (payableFrom === null) return [];
  return [["Delayed until", `${formatDateTime(payableFrom)}, because ${delayReasonsText(delayReasons)}`]];
}

/** What follows an approval. */
const PAYMENT = {
  provider: "The provider then pays it.",
  manual: "Then send the coins from your wallet and mark it as sent.",
  unknown: "",
};

export function ApproveDialog({ request, onCancel, ...outcomes }: WithdrawalDialogProps) {
  const payer = useApproval().data?.payoutMethod ?? "unknown";
  const { isBusy, decide } = useDecision();
  const send = useProcessing(request.id);
  const second = useSecondPerson(String(request.id));
  const messages = outcomeMessages({ ...MESSAGES, ...outcomes, onRefused: second.onRefused });
  return (
    <DecisionDialog
      title="Approve Withdrawal"
      description={`This action cannot be undone. ${PAYMENT[payer]}`}
      confirmLabel={second.cause === null ? "Approve Withdrawal" : "Propose"}
      step={second.cause ?? ""}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={() => void decide(send({ action: "approve", ...second.propose }), messages)}
    >
      <Facts
        facts={[
          ["User", userOf(request)],
          ["Amount", `${formatWire(request.amount)}, already deducted from the balance`],
          ["Fee", formatWire(request.fee)],
          ["Net amount to send", <strong key="net">{formatWire(request.netAmount)}</strong>],
          ["Currency", currencyLabel(request.currency || "usd")],
          ["Wallet", <GroupedAddress key="wallet" address={request.walletAddress} />],
          ...delayFacts(request),
        ]}
      />
      <SecondPersonNotice cause={second.cause} />
    </DecisionDialog>
  );
}

export function RejectDialog({ request, onCancel, ...outcomes }: WithdrawalDialogProps) {
  const { isBusy, decide } = useDecision();
  const send = useProcessing(request.id);
  const reason = useReason(
    REJECTION_REASON_REQUIRED,
    (text) => void decide(send({ action: "reject", reason: text }), outcomeMessages({ ...MESSAGES, ...outcomes })),
  );
  return (
    <DecisionDialog
      title="Reject Withdrawal"
      description={`The full ${formatWire(request.amount)} is returned to the balance of ${request.user.username}.`}
      confirmLabel="Reject Withdrawal"
      isDestructive
      initialFocus={reason.focus}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={reason.submit}
    >
      <Facts
        facts={[
          ["User", userOf(request)],
          ["Returned amount", formatWire(request.amount)],
          ["Currency", currencyLabel(request.currency || "usd")],
          ["Wallet", <GroupedAddress key="wallet" address={request.walletAddress} />],
        ]}
      />
      <ReasonField label="Rejection Reason" hint="It is shown to the player." {...reason.field} />
    </DecisionDialog>
  );
}
