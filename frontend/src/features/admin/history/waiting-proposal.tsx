// Says that something waits for a second person.

import { LinkButton } from "@/components";
import { formatZoned } from "@/lib/zoned-time";
import type { Proposal } from "../api/admin";
import { tabAddress } from "../tabs";
import { proposedText } from "./proposals";

type WaitingProposalProps = {
  proposals: readonly Proposal[];
  /** The payment that the page is about, if it is about one. */
  paymentId?: string;
};

export function WaitingProposal({ proposals, paymentId }: WaitingProposalProps) {
  const open = proposals.filter(({ state }) => state === "open");
  return open.map((proposal) => (
    <p
      key={proposal.id}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control bg-raised px-4 py-2 text-14"
    >
      <span>
        {proposal.proposedBy.username} has proposed {proposedText(proposal, paymentId)}. Somebody else can approve it
        until {formatZoned(proposal.expiresAt)}.
      </span>
      <LinkButton size="small" to={tabAddress("approvals")}>
        Approvals
      </LinkButton>
    </p>
  ));
}
