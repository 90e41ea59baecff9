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

/**
 * What a proposal on the page of a payment names instead of that payment: "for its invoice 77". It is on the pages of
 * all payments of that invoice. Null if it names the payment.
 */
function invoiceOf({ kind, terms }: Proposal, paymentId: string | undefined): string | null {
  const named = kind === "confirm_payment" && paymentId !== undefined ? terms.paymentId : null;
  return named === null || named === paymentId ? null : `for its invoice ${named}`;
}

/** What somebody proposed, as the end of a sentence: "to credit $700.00 to ada". */
export function proposedText(proposal: Proposal, paymentId?: string): string {
  const { kind, user, summary } = proposal;
  if (kind === "approve_withdrawal") return "to approve this withdrawal";
  if (kind !== "confirm_payment") return `to ${summary}`;
  const parts = ["to credit", amountOf(proposal), user && `to ${user.username}`, invoiceOf(proposal, paymentId)];
  return parts.filter(Boolean).join(" ");
}

/** When it was made, and what became of it. */
export function ofProposal(proposal: Proposal, paymentId?: string): (Happening | null)[] {
  const { id, proposedAt, proposedBy, reason, cause } = proposal;
  const what = noteOf(amountOf(proposal), proposal.user?.username, invoiceOf(proposal, paymentId));
  const proposed = happening(
    proposedAt,
    proposedBy.username,
    `Proposed: ${wish(proposal)}`,
    noteOf(`Proposal ${id}`, what, reason, cause),
  );
  return [proposed, decisionOf(proposal)];
}

/** The proposals with one that was just made. */
export const withProposal = (known: readonly Proposal[], made: Proposal): Proposal[] => [
  ...known.filter(({ id }) => id !== made.id),
  made,
];

function decisionOf({ id, state, decidedAt, decidedBy, decisionReason, expiresAt }: Proposal): Happening | null {
  if (state === "expired") return happening(expiresAt, AUTOMATIC, `Proposal ${id} expired`);
  if (decidedAt === null || decidedBy === null) return null;
  return happening(decidedAt, decidedBy.username, `Proposal ${id} ${state}`, decisionReason ?? "");
}
