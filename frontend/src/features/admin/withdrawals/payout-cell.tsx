// What the panel shows of the risk of a withdrawal and of its payment.

import { Badge, CopyButton } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { centsOf, formatDollars } from "@/lib/money";
import type { AdminWithdrawal } from "../api/admin";
import { DateTime } from "../lists/cells";
import { PAYOUT_STATES, type Payout, RISKS } from "./wording";

const TONES = { claimed: "info", sent: "info", confirmed: "win", failed: "notice", returned: "notice" } as const;

export function PayoutBadge({ state }: { state: Payout["state"] }) {
  return <Badge tone={TONES[state]}>{PAYOUT_STATES[state]}</Badge>;
}

/** Why a pending request deserves a closer look. */
export function Risk({ risk: { points, factors } }: { risk: AdminWithdrawal["risk"] }) {
  return (
    <span className="mt-1 block max-w-[30ch] text-12 text-ink-2">
      <span className="font-semibold tabular-nums">Risk {points}</span>
      {factors.length > 0 && `: ${factors.map((factor) => RISKS[factor]).join(", ")}`}
    </span>
  );
}

const dollars = (wire: string) => formatDollars(centsOf(wire));

/** What the player of a pending request has moved so far. */
export function Totals({ totals }: { totals: AdminWithdrawal["playerTotals"] }) {
  if (totals === null) return null;
  return (
    <span className="mt-0.5 block max-w-[26ch] text-12 text-ink-3">
      Deposited {dollars(totals.deposited)}, wagered {dollars(totals.wagered)}, profit {dollars(totals.profit)}
      {totals.openReviews > 0 && <span className="text-notice">, under review</span>}
    </span>
  );
}

/** How far the payment has come, and what was sent. */
export function PayoutDetails({ payout, currency }: { payout: Payout; currency: string }) {
  const at = payout.returnedAt ?? payout.failedAt ?? payout.confirmedAt ?? payout.sentAt;
  return (
    <span className="mt-1 grid max-w-[30ch] gap-0.5 text-12 text-ink-2">
      <span>{payout.method === "provider" ? "By the provider" : "By hand"}</span>
      {payout.coinAmount !== null && (
        <span className="tabular-nums">
          {payout.coinAmount} {currencyLabel(currency)}
          {payout.networkFee !== null && `, network fee ${payout.networkFee}`}
        </span>
      )}
      {at !== null && <DateTime iso={at} />}
      {payout.transactionId !== null && <Transaction payout={payout} id={payout.transactionId} />}
      {payout.problem !== null && <span className="break-words text-notice">{payout.problem}</span>}
    </span>
  );
}

/** The ends of a transaction's ID, which is too long to be read. */
const shortened = (id: string): string => (id.length <= 20 ? id : `${id.slice(0, 8)}…${id.slice(-8)}`);

function Transaction({ payout, id }: { payout: Payout; id: string }) {
  return (
    <>
      <span className="flex items-center gap-0.5">
        <code className="font-mono text-12" title={id}>
          {shortened(id)}
        </code>
        <CopyButton text={id} label="Copy the transaction ID" />
      </span>
      {payout.transactionUrl !== null && (
        <a href={payout.transactionUrl} target="_blank" rel="noreferrer" className="underline underline-offset-4">
          View transaction
        </a>
      )}
    </>
  );
}
