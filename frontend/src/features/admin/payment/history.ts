// What happened with a payment, in words. The database keeps the last status only, and every credit and review.

import { centsOf, formatWire } from "@/lib/money";
import type { AdminPayment } from "../api/admin";
import { AUTOMATIC, type Happening, happening, inOrder, noteOf, PROVIDER } from "../history/history";
import { ofProposal } from "../history/proposals";
import { inWords } from "../lists/wording";
import { reviewWords } from "../payments/review-kinds";

type Facts = NonNullable<AdminPayment["facts"]>;
type Credit = AdminPayment["credits"][number];
type Review = AdminPayment["reviews"][number];

const coins = (amount: string | null, currency: string | null): string | null =>
  amount === null ? null : `${amount} ${currency?.toUpperCase() ?? ""}`.trim();

/** "0.0005 of 0.0011 BTC". */
export function receivedOf({ actuallyPaid, payAmount, payCurrency }: Facts): string {
  if (actuallyPaid === null) return "Nothing yet";
  return payAmount === null
    ? (coins(actuallyPaid, payCurrency) ?? "")
    : `${actuallyPaid} of ${coins(payAmount, payCurrency)}`;
}

function ofDeposit({ deposit }: AdminPayment): Happening | null {
  if (deposit === null) return null;
  const what = `Deposit of ${formatWire(deposit.amount)} in ${deposit.currency.toUpperCase()} requested`;
  return happening(deposit.createdAt, deposit.user.username, what, `Deposit ${deposit.id}`);
}

function ofFacts(facts: Facts): (Happening | null)[] {
  const { firstSeenAt, receivedAt, updatedAt, status } = facts;
  const requested = coins(facts.payAmount, facts.payCurrency);
  return [
    happening(
      firstSeenAt,
      PROVIDER,
      "Payment reported for the first time",
      requested === null ? "" : `${requested} requested`,
    ),
    receivedAt === null ? null : happening(receivedAt, PROVIDER, "Amount received", receivedOf(facts)),
    updatedAt === firstSeenAt
      ? null
      : happening(updatedAt, PROVIDER, `Last change: ${inWords(status)}`, receivedOf(facts)),
  ];
}

function ofCredit(credit: Credit): Happening {
  const { amount, user, confirmedBy, reason, proposalId, ledgerSequence, balanceAfter } = credit;
  const byHand = confirmedBy !== null;
  const note = noteOf(
    reason,
    proposalId !== null && `proposal ${proposalId}`,
    ledgerSequence !== null &&
      balanceAfter !== null &&
      `ledger entry ${ledgerSequence}, balance ${formatWire(balanceAfter)}`,
  );
  const what = `${formatWire(amount)} credited to ${user.username}${byHand ? " by hand" : ""}`;
  return happening(credit.at, confirmedBy?.username ?? AUTOMATIC, what, note, centsOf(amount));
}

function ofReview(review: Review): (Happening | null)[] {
  const { title } = reviewWords(review.kind);
  const { resolvedAt } = review;
  const amount = review.amount === null ? null : `${formatWire(review.amount)} in question`;
  return [
    happening(review.openedAt, AUTOMATIC, `Review opened: ${title}`, noteOf(amount, review.details)),
    resolvedAt === null
      ? null
      : happening(
          resolvedAt,
          review.resolvedBy?.username ?? AUTOMATIC,
          `Review resolved: ${title}`,
          review.resolution ?? "",
        ),
  ];
}

function ofNotification({ notificationWaitsSince: since }: AdminPayment): Happening | null {
  if (since === null) return null;
  return happening(since, PROVIDER, "Notification that waits to be applied", "Not applied yet; it is tried again");
}

/** Everything that is kept of a payment, oldest first. */
export const historyOf = (payment: AdminPayment): Happening[] =>
  inOrder([
    ofDeposit(payment),
    ...(payment.facts === null ? [] : ofFacts(payment.facts)),
    ...payment.proposals.flatMap((proposal) => ofProposal(proposal, payment.paymentId)),
    ...payment.credits.map(ofCredit),
    ...payment.reviews.flatMap(ofReview),
    ofNotification(payment),
  ]);
