// Approving, refusing and withdrawing a proposal.

import { type Proposal, type ProposalDecision, decideProposal } from "../api/admin";
import { amountOf, ProposalTerms } from "../approvals/proposal-terms";
import { KIND_NAMES } from "../approvals/wording";
import { DecisionDialog, Facts } from "./decision-dialog";
import { ReasonField, useReason } from "./reason-field";
import { REASON_REQUIRED } from "./rules";
import { useDecision, useIdempotentCall } from "./use-decision";

type ProposalDialogProps = {
  proposal: Proposal;
  onCancel(): void;
  onDone(proposal: Proposal): void;
  onConflict(): void;
  onUnsure(): void;
};

const useDeciding = (proposalId: number) =>
  useIdempotentCall((decision: ProposalDecision, key) => decideProposal(proposalId, decision, key));

function ProposalFacts({ proposal }: { proposal: Proposal }) {
  const amount = amountOf(proposal);
  return (
    <Facts
      facts={[
        ["What", KIND_NAMES[proposal.kind]],
        ...(proposal.user === null ? [] : [["User", `${proposal.user.username} #${proposal.user.id}`] as const]),
        ...(amount === null ? [] : [["Amount", <strong key="amount">{amount}</strong>] as const]),
        ["In full", <ProposalTerms key="terms" proposal={proposal} />],
        ...(proposal.reason === null ? [] : [["Reason", proposal.reason] as const]),
        ["Proposed by", proposal.proposedBy.username],
      ]}
    />
  );
}

export function ApproveProposalDialog({ proposal, onCancel, ...outcomes }: ProposalDialogProps) {
  const { isBusy, decide } = useDecision();
  const send = useDeciding(proposal.id);
  const messages = {
    success: () => "Approved and carried out",
    fallback: "Failed to approve the proposal",
    ...outcomes,
  };
  return (
    <DecisionDialog
      title="Approve Proposal"
      description="It is carried out at once, under your name as well."
      confirmLabel="Approve"
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={() => void decide(send({ decision: "approve" }), messages)}
    >
      <ProposalFacts proposal={proposal} />
    </DecisionDialog>
  );
}

export function RefuseProposalDialog({ proposal, onCancel, ...outcomes }: ProposalDialogProps) {
  const { isBusy, decide } = useDecision();
  const send = useDeciding(proposal.id);
  const messages = {
    success: () => "The proposal has been refused",
    fallback: "Failed to refuse the proposal",
    ...outcomes,
  };
  const reason = useReason(
    REASON_REQUIRED,
    (text) => void decide(send({ decision: "refuse", reason: text }), messages),
  );
  return (
    <DecisionDialog
      title="Refuse Proposal"
      description="Nothing is changed."
      confirmLabel="Refuse"
      isDestructive
      initialFocus={reason.focus}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={reason.submit}
    >
      <ProposalFacts proposal={proposal} />
      <ReasonField label="Reason" hint="The proposer can read it." input={reason.input} />
    </DecisionDialog>
  );
}

export function WithdrawProposalDialog({ proposal, onCancel, ...outcomes }: ProposalDialogProps) {
  const { isBusy, decide } = useDecision();
  const send = useDeciding(proposal.id);
  const messages = {
    success: () => "The proposal has been withdrawn",
    fallback: "Failed to withdraw the proposal",
    ...outcomes,
  };
  return (
    <DecisionDialog
      title="Withdraw Proposal"
      description="Nobody can approve it any more. You can propose it again."
      confirmLabel="Withdraw"
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={() => void decide(send({ decision: "withdraw" }), messages)}
    >
      <ProposalFacts proposal={proposal} />
    </DecisionDialog>
  );
}
