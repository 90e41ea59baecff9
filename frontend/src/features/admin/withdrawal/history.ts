// What happened with a withdrawal, in words.

import { currencyLabel } from "@/lib/currencies";
import { centsOf, formatWire } from "@/lib/money";
import { delayReasonsText } from "@/lib/withdrawal-delay";
import { formatZoned } from "@/lib/zoned-time";
import type { AdminWithdrawal, WithdrawalPage } from "../api/admin";
import { AUTOMATIC, type Happening, happening, inOrder, noteOf, PROVIDER } from "../history/history";
import { ofProposal } from "../history/proposals";
import { METHODS, type Payout } from "../withdrawals/wording";

type Course = NonNullable<WithdrawalPage["course"]>;

function ofRequest(request: AdminWithdrawal): (Happening | null)[] {
  const { createdAt, user, payableFrom, delayReasons } = request;
  const what = `${formatWire(request.amount)} in ${currencyLabel(request.currency)} requested`;
  return [
    happening(
      createdAt,
      user.username,
      what,
      `${formatWire(request.netAmount)} to send, fee ${formatWire(request.fee)}`,
    ),
    payableFrom === null
      ? null
      : happening(createdAt, AUTOMATIC, `Delayed until ${formatZoned(payableFrom)}`, delayReasonsText(delayReasons)),
  ];
}

function ofDecision({ status, decidedAt, decidedBy, reason, user }: AdminWithdrawal): Happening | null {
  if (decidedAt === null || status === "pending") return null;
  if (status === "cancelled") return happening(decidedAt, user.username, "Cancelled by the player");
  const what = status === "approved" ? "Approved" : "Rejected";
  return happening(decidedAt, decidedBy?.username ?? AUTOMATIC, what, reason ?? "");
}

/** Who did it, or the provider that reported it. */
const by = (person: { username: string } | null): string => person?.username ?? PROVIDER;

function ofPayout(payout: Payout, course: Course, currency: string): (Happening | null)[] {
  const { sentAt, confirmedAt, failedAt, returnedAt, verifiedAt, stoppedAt, method } = payout;
  const sent = noteOf(
    payout.coinAmount !== null && `${payout.coinAmount} ${currencyLabel(currency)}`,
    payout.transactionId !== null && `transaction ${payout.transactionId}`,
  );
  const batch = course.batchId === null ? "" : `Batch ${course.batchId}, payment ${course.providerId}`;
  const isOver = payout.state === "failed" || payout.state === "returned";
  return [
    happening(course.claimedAt, AUTOMATIC, "Taken up to be paid", METHODS[method]),
    course.requestedAt === null
      ? null
      : happening(course.requestedAt, AUTOMATIC, "Provider asked to create the payment", batch),
    verifiedAt === null ? null : happening(verifiedAt, AUTOMATIC, "Provider told to pay it"),
    stoppedAt === null ? null : happening(stoppedAt, by(course.stoppedBy), "Stopped", payout.stopReason ?? ""),
    sentAt === null ? null : happening(sentAt, by(course.sentBy), "Sent", sent),
    confirmedAt === null ? null : happening(confirmedAt, by(course.confirmedBy), "Arrived"),
    failedAt === null ? null : happening(failedAt, by(course.failedBy), "Failed", isOver ? (payout.problem ?? "") : ""),
    returnedAt === null ? null : happening(returnedAt, by(course.returnedBy), "Amount returned"),
  ];
}

const LEDGER = {
  withdrawal: "Held for a withdrawal",
  withdrawal_returned: "Returned to the balance",
} as const;

function ofLedger(entry: WithdrawalPage["ledgerEntries"][number]): Happening {
  const what = entry.entry === "withdrawal_returned" ? LEDGER.withdrawal_returned : LEDGER.withdrawal;
  const note = `Ledger entry ${entry.sequence}, balance ${formatWire(entry.balanceAfter)}`;
  return happening(entry.at, AUTOMATIC, what, note, centsOf(entry.amount));
}

/** Everything that is kept of a withdrawal, oldest first. */
export function historyOf({ request, course, proposals, ledgerEntries }: WithdrawalPage): Happening[] {
  const { payout, currency } = request;
  return inOrder([
    ...ofRequest(request),
    ...proposals.flatMap((proposal) => ofProposal(proposal)),
    ofDecision(request),
    ...(payout === null || course === null ? [] : ofPayout(payout, course, currency)),
    ...ledgerEntries.map(ofLedger),
  ]);
}
