// What a proposal proposes, for whoever decides on it.

import { ROLE_NAMES } from "@/api/role-names";
import { centsOf, formatChange, formatDollars, formatWire } from "@/lib/money";
import type { Proposal } from "../api/admin";
import { THRESHOLDS } from "./wording";

/** The amount; with a sign where money can be given or taken. */
export function amountOf({ amount, kind }: Proposal): string | null {
  if (amount === null) return null;
  return kind === "adjust_balance" ? formatChange(centsOf(amount)) : formatDollars(centsOf(amount));
}

/** What would be done, in full. */
export function ProposalTerms({ proposal }: { proposal: Proposal }) {
  const { terms, kind } = proposal;
  const amount = amountOf(proposal);
  if (kind === "adjust_balance" && terms.oldBalance !== null)
    return (
      <span>
        Change the balance by {amount}. It was {formatWire(terms.oldBalance)} when this was proposed; if the player has
        played on since, it is the difference that counts.
      </span>
    );
  if (kind === "confirm_payment")
    return (
      <span className="break-words">
        Credit {amount} for payment {terms.paymentId}, which was paid in {terms.currency}.
      </span>
    );
  if (kind === "approve_withdrawal")
    return (
      <span>
        Approve withdrawal {terms.withdrawalId} of {amount}.
      </span>
    );
  if (terms.oldRole !== null && terms.newRole !== null)
    return (
      <span>
        Change the role from {ROLE_NAMES[terms.oldRole]} to {ROLE_NAMES[terms.newRole]}.
      </span>
    );
  const { thresholds } = terms;
  if (thresholds === null) return <span>{proposal.summary}</span>;
  return (
    <ul>
      {THRESHOLDS.map(({ name, label }) => (
        <li key={name}>
          {label}: {formatWire(thresholds[name])}
        </li>
      ))}
    </ul>
  );
}
