// What the answers of the acts change in the data of a payment's page, before it is read again.

import { centsOf, wireAmount } from "@/lib/money";
import type { AdminPayment, PaymentConfirmed, Proposal, Review } from "../api/admin";
import { withProposal } from "../history/proposals";

type Change = (known: AdminPayment) => AdminPayment;

export const resolved =
  (review: Review): Change =>
  (known) => ({ ...known, reviews: known.reviews.map((one) => (one.id === review.id ? review : one)) });

export const proposed =
  (proposal: Proposal): Change =>
  (known) => ({ ...known, proposals: withProposal(known.proposals, proposal) });

/** A confirmation by hand closes all open reviews. How they were resolved is known once the page is read again. */
export const confirmed =
  ({ credited_amount: amount }: PaymentConfirmed): Change =>
  (known) => ({
    ...known,
    facts: known.facts && {
      ...known.facts,
      creditedAmount: wireAmount(centsOf(known.facts.creditedAmount) + centsOf(amount)),
    },
    reviews: known.reviews.filter(({ resolvedAt }) => resolvedAt !== null),
  });
