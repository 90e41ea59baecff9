// Approving, refusing and withdrawing a proposal.

import { type Proposal, type ProposalDecision, decideProposal } from "../api/admin";
import { amountOf, ProposalTerms } from "../approvals/proposal-terms";
import { KIND_NAMES } from "../approvals/wording";
import { DecisionDialog, Facts } from "./decision-dialog";
import { ReasonField, useReason } from "./reason-field";
import { REASON_REQUIRED } from "./rules";
import { useDecision, useIdempotentCall } from "./use-decision";

const WORDS = {
  approve: {
    title: "Approve Proposal",
    description: "It is carried out at once, under your name as well.",
    label: "Approve",
    done: "Approved and carried out",
    failed: "Failed to approve the proposal",
  },
  refuse: {
    title: "Refuse Proposal",
    description: "Nothing is changed.",
    label: "Refuse",
    done: "The proposal has been refused",
    failed: "Failed to refuse the proposal",
  },
  withdraw: {
    title: "Withdraw Proposal",
    description: "Nobody can approve it any more. You can propose it again.",
    label: "Withdraw",
    done: "The proposal has been withdrawn",
    failed: "Failed to withdraw the proposal",
  },
} as const satisfies Record<ProposalDecision["decision"], object>;

type ProposalDialogProps = {
  proposal: Proposal;
  decision: ProposalDecision["decision"];
  onCancel(): void;
  onDone(proposal: Proposal): void;
  onConflict(): void;
  onUnsure(): void;
};

/** Only a refusal needs a reason. */
export function ProposalDialog({ proposal, decision, onCancel, ...outcomes }: ProposalDialogProps) {
  const { title, description, label, done, failed } = WORDS[decision];
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall((body: ProposalDecision, key) => decideProposal(proposal.id, body, key));
  const messages = { success: () => done, fallback: failed, ...outcomes };
  const reason = useReason(
    REASON_REQUIRED,
    (text) => void decide(send({ decision: "refuse", reason: text }), messages),
  );
  return (
    <DecisionDialog
      title={title}
      description={description}
      confirmLabel={label}
      isDestructive={decision === "refuse"}
      {...(decision === "refuse" ? { initialFocus: reason.focus } : {})}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={decision === "refuse" ? reason.submit : () => void decide(send({ decision }), messages)}
    >
      <ProposalFacts proposal={proposal} />
      {decision === "refuse" && <ReasonField label="Reason" hint="The proposer can read it." {...reason.field} />}
    </DecisionDialog>
  );
}

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
