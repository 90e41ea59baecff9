// What is said of the proposals for a payment or a withdrawal.

import type { Proposal } from "../api/admin";
import { amountOf } from "../approvals/proposal-terms";
import { AUTOMATIC, type Happening, happening, noteOf } from "./history";

const DONE = {
  approve_withdrawal: "approve the withdrawal",
  confirm_payment: "credit by hand",
} as const satisfies Partial<Record<Proposal["kind"], string>>;

const wish = (proposal: Proposal): string =>
  proposal.kind in DONE ? DONE[proposal.kind as keyof typeof DONE] : proposal.summary;

/** When it was made, and what became of it. */
export function ofProposal(proposal: Proposal): (Happening | null)[] {
  const { id, proposedAt, proposedBy, reason, cause } = proposal;
  const what = noteOf(amountOf(proposal), proposal.user?.username);
  const proposed = happening(
    proposedAt,
    proposedBy.username,
    `Proposed: ${wish(proposal)}`,
    noteOf(`Proposal ${id}`, what, reason, cause),
  );
  return [proposed, decisionOf(proposal)];
}

function decisionOf({ id, state, decidedAt, decidedBy, decisionReason, expiresAt }: Proposal): Happening | null {
  if (state === "expired") return happening(expiresAt, AUTOMATIC, `Proposal ${id} expired`);
  if (decidedAt === null || decidedBy === null) return null;
  return happening(decidedAt, decidedBy.username, `Proposal ${id} ${state}`, decisionReason ?? "");
}
