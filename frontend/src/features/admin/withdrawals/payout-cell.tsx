// What the panel shows of the risk of a withdrawal and of its payment: on one line, and in full.

import type { ReactNode } from "react";
import { Badge } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { formatZoned } from "@/lib/zoned-time";
import { formatWire } from "@/lib/money";
import { delayReasonsText } from "@/lib/withdrawal-delay";
import type { AdminWithdrawal } from "../api/admin";
import { ExactTime, PageLink, StateBadge, WholeText, withdrawalAddress } from "../lists/cells";
import type { Detail } from "../lists/record-table";
import { asLabel } from "../lists/wording";
import { METHODS, PAYOUT_STATES, type Payout, RISKS } from "./wording";

const TONES = { claimed: "info", sent: "info", confirmed: "win", failed: "notice", returned: "notice" } as const;

export function PayoutBadge({ state }: { state: Payout["state"] }) {
  return <Badge tone={TONES[state]}>{PAYOUT_STATES[state]}</Badge>;
}

/** The state, and of what is pending, why it deserves a closer look. */
export function StatusCell({ request }: { request: AdminWithdrawal }) {
  const { status, payout } = request;
  const note = noteOf(request);
  return (
    <span className="flex min-w-0 items-center gap-2">
      {payout === null ? <StateBadge state={status} /> : <PayoutBadge state={payout.state} />}
      {status === "pending" && request.payableFrom !== null && <Badge tone="notice">Delayed</Badge>}
      {note !== "" && (
        <span
          className="line-clamp-2 text-12 leading-tight text-ink-2 whitespace-normal @max-[1120px]:hidden"
          title={note}
        >
          {note}
        </span>
      )}
      {status === "pending" && (
        <span aria-hidden className="text-12 text-ink-2 @min-[1120px]:hidden">
          Risk {request.risk.points}
        </span>
      )}
    </span>
  );
}

/** The points, and what they are for. */
export const riskPoints = ({ risk: { points, factors } }: AdminWithdrawal): string =>
  `${points}${factors.length > 0 ? `: ${factors.map((factor) => RISKS[factor]).join(", ")}` : ""}`;

const riskText = (request: AdminWithdrawal): string => `Risk ${riskPoints(request)}`;

function noteOf(request: AdminWithdrawal): string {
  const { status, payout, reason } = request;
  if (status === "pending") return riskText(request);
  if (payout === null) return reason ?? "";
  return payout.problem ?? `${asLabel(status)} ${deciderOf(request)} · ${METHODS[payout.method]}`;
}

/** Who decided, if anybody did. */
const deciderOf = ({ decidedBy }: AdminWithdrawal): string =>
  decidedBy === null ? "automatically" : `by ${decidedBy.username}`;

export function detailsOf(request: AdminWithdrawal): Detail[] {
  const { id, status, payout, currency, reason } = request;
  const isDecided = status !== "pending" && status !== "cancelled";
  return [
    [
      "History",
      <PageLink key="page" to={withdrawalAddress(id)}>
        Everything about this request
      </PageLink>,
    ],
    ["Amount", formatWire(request.amount)],
    ["Fee", formatWire(request.fee)],
    ["Net amount", formatWire(request.netAmount)],
    ["Currency", currencyLabel(currency || "usd")],
    [
      "Wallet address",
      <WholeText key="wallet" text={request.walletAddress} label={`Copy the whole address of request ${id}`} />,
    ],
    ["Requested", <ExactTime key="requested" iso={request.createdAt} />],
    status === "pending" ? ["Risk", riskText(request)] : null,
    totalsOf(request),
    request.payableFrom === null
      ? null
      : ["Delayed until", `${formatZoned(request.payableFrom)}: ${delayReasonsText(request.delayReasons)}`],
    isDecided ? ["Decision", `${asLabel(status)} ${deciderOf(request)}`] : null,
    request.decidedAt === null ? null : ["Decided", <ExactTime key="decided" iso={request.decidedAt} />],
    reason === null ? null : ["Reason", reason],
    ...(payout === null ? [] : payoutDetails(request, payout)),
  ];
}

/** What the player of a pending request has moved so far. */
export function totalsOf({ playerTotals: totals }: AdminWithdrawal): Detail {
  if (totals === null) return null;
  const moved = `Deposited ${formatWire(totals.deposited)}, wagered ${formatWire(totals.wagered)}, profit ${formatWire(totals.profit)}`;
  return ["Player so far", totals.openReviews > 0 ? `${moved}, under review` : moved];
}

/** How far the payment has come, and what was sent. */
function payoutDetails({ id, currency }: AdminWithdrawal, payout: Payout): Detail[] {
  const at = payout.returnedAt ?? payout.failedAt ?? payout.confirmedAt ?? payout.sentAt;
  const fee = payout.networkFee === null ? "" : `, network fee ${payout.networkFee}`;
  return [
    ["Payment", METHODS[payout.method]],
    payout.coinAmount === null ? null : ["In the coin", `${payout.coinAmount} ${currencyLabel(currency)}${fee}`],
    at === null ? null : [PAYOUT_STATES[payout.state], <ExactTime key="at" iso={at} />],
    payout.transactionId === null ? null : ["Transaction", <Transaction key="transaction" id={id} payout={payout} />],
    payout.stoppedAt === null || payout.state === "failed" || payout.state === "returned"
      ? null
      : [
          "Stopped",
          <>
            <ExactTime key="stopped" iso={payout.stoppedAt} /> {payout.stopReason}
          </>,
        ],
    payout.problem === null ? null : ["Problem", payout.problem],
  ];
}

function Transaction({ id, payout }: { id: number; payout: Payout }) {
  return (
    <>
      <WholeText text={payout.transactionId ?? ""} label={`Copy the transaction ID of request ${id}`} />
      <TransactionLink id={id} payout={payout} />
    </>
  );
}

/** Where the transaction can be looked at, if it is in a network. */
export function TransactionLink({ id, payout: { transactionUrl } }: { id: number; payout: Payout }): ReactNode {
  if (transactionUrl === null) return null;
  return (
    <a
      href={transactionUrl}
      target="_blank"
      rel="noreferrer"
      aria-label={`View transaction of request ${id}`}
      className="underline underline-offset-4"
    >
      View transaction
    </a>
  );
}
