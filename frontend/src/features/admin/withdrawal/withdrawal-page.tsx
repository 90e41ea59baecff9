// One withdrawal: what is to be paid and where to, what became of it, and what can be done.

import { useState } from "react";
import { Badge, Button, PageHeader, Panel, Stat } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { counted } from "@/lib/format";
import { formatWire } from "@/lib/money";
import { type AdminWithdrawal, fetchWithdrawal, type WithdrawalPage as Found } from "../api/admin";
import { userIdOf } from "../decisions/rules";
import { History } from "../history/history";
import { withProposal } from "../history/proposals";
import { WaitingProposal } from "../history/waiting-proposal";
import { ExactTime, StateBadge, UserLink } from "../lists/cells";
import { Fact, FactList, Moment } from "../lists/facts";
import { type Settle, Standing, ThingPage, usePage, useSettle } from "../lists/page";
import { asLabel } from "../lists/wording";
import { tabAddress } from "../tabs";
import { DecisionOf, type OpenDialog, useSteps } from "../withdrawals/decisions";
import { PayoutBadge, riskPoints, totalsOf, TransactionLink } from "../withdrawals/payout-cell";
import { METHODS, PAYOUT_STATES, type Payout } from "../withdrawals/wording";
import { historyOf } from "./history";

const ALL = `${tabAddress("withdrawals")}&status=all`;

export function WithdrawalPage({ withdrawalId }: { withdrawalId: string }) {
  const id = userIdOf(withdrawalId);
  const withdrawal = usePage(id === null ? null : ["admin", "withdrawal", id], () => fetchWithdrawal(id ?? 0));
  const settle = useSettle(withdrawal);
  return (
    <ThingPage
      name="Withdrawal"
      id={withdrawalId}
      hint="The ID may be mistyped. Withdrawals are never deleted."
      all={ALL}
      state={withdrawal}
      isUnknown={id === null}
    >
      {(found) => <Withdrawal found={found} settle={settle} />}
    </ThingPage>
  );
}

function Withdrawal({ found, settle }: { found: Found; settle: Settle<Found> }) {
  const { request, proposals } = found;
  const { payout, status } = request;
  return (
    <>
      <PageHeader
        title={`Withdrawal ${request.id}`}
        kicker={payout === null ? asLabel(status) : PAYOUT_STATES[payout.state]}
        backTo={{ to: ALL, label: "All withdrawals" }}
      />
      <Panel>
        <div className="grid gap-4">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <Standing>
              <UserLink id={request.userId} username={request.user.username} />
              <StateBadge state={status} />
              {payout !== null && <PayoutBadge state={payout.state} />}
              {status === "pending" && request.payableFrom !== null && <Badge tone="notice">Delayed</Badge>}
            </Standing>
            <Actions request={request} settle={settle} />
          </div>
          <WaitingProposal proposals={proposals} />
          <Amounts request={request} />
        </div>
      </Panel>
      <History of={`withdrawal ${request.id}`} happenings={historyOf(found)} />
      <Details found={found} />
    </>
  );
}

/** The actions that the queue offers as well. */
function Actions({ request, settle }: { request: AdminWithdrawal; settle: Settle<Found> }) {
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { steps, hindrance } = useSteps(request);
  function end(change?: (known: Found) => Found) {
    setDialog(null);
    void settle(change);
  }
  return (
    <>
      {hindrance !== null && request.status === "pending" && <p className="text-13 text-ink-3">{hindrance}</p>}
      {steps.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {steps.map(({ action, label }) => (
            <Button key={action} size="small" onClick={() => setDialog({ action, request })}>
              {label}
            </Button>
          ))}
        </div>
      )}
      {dialog !== null && (
        <DecisionOf
          {...dialog}
          onCancel={() => setDialog(null)}
          onDone={(answered) => end((known) => ({ ...known, request: answered }))}
          onProposed={(made) => end((known) => ({ ...known, proposals: withProposal(known.proposals, made) }))}
          onConflict={() => end()}
          onUnsure={() => end()}
        />
      )}
    </>
  );
}

function Amounts({ request }: { request: AdminWithdrawal }) {
  const { payout, currency, decidedAt } = request;
  const coins = payout?.coinAmount ?? null;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 xl:grid-cols-6">
      <Stat label="Amount" value={formatWire(request.amount)} hint="Taken from the balance" />
      <Stat label="Fee" value={formatWire(request.fee)} />
      <Stat label="Net amount" value={formatWire(request.netAmount)} hint="To be sent" />
      <Stat
        label="In the coin"
        value={coins === null ? currencyLabel(currency) : `${coins} ${currencyLabel(currency)}`}
        hint={coins === null ? "Not fixed yet" : undefined}
      />
      <Stat label="Requested" value={<Moment iso={request.createdAt} />} />
      <Stat label="Decided" value={decidedAt === null ? "Not yet" : <Moment iso={decidedAt} />} />
    </dl>
  );
}

function Details({ found: { request, address, course } }: { found: Found }) {
  const totals = totalsOf(request);
  return (
    <Panel title="Details">
      <FactList>
        <Fact name="Address" value={request.walletAddress}>
          {counted(address.requests, "request")} by the player to exactly this address
          {address.firstRequestedAt !== null && (
            <>
              , the first on <ExactTime iso={address.firstRequestedAt} />
            </>
          )}
        </Fact>
        <Fact name="Address book">
          {address.addedAt === null ? (
            "Not in the address book"
          ) : (
            <>
              Since <ExactTime iso={address.addedAt} />
            </>
          )}
        </Fact>
        <Fact name="Risk when requested">{riskPoints(request)}</Fact>
        {totals !== null && <Fact name={totals[0]}>{totals[1]}</Fact>}
        {request.payout !== null && course !== null && (
          <Payment request={request} payout={request.payout} course={course} />
        )}
      </FactList>
    </Panel>
  );
}

type PaymentProps = { request: AdminWithdrawal; payout: Payout; course: NonNullable<Found["course"]> };

/** How it is paid. */
function Payment({ request: { id, currency }, payout, course }: PaymentProps) {
  const { providerId, batchId, failedCalls, refusedCodes } = course;
  return (
    <>
      <Fact name="Paid">{METHODS[payout.method]}</Fact>
      {payout.rate !== null && <Fact name="Rate">${payout.rate} for a coin</Fact>}
      {payout.networkFee !== null && (
        <Fact name="Network fee">
          {payout.networkFee} {currencyLabel(currency)}
        </Fact>
      )}
      {payout.transactionId !== null && (
        <Fact name="Transaction" value={payout.transactionId}>
          <TransactionLink id={id} payout={payout} />
        </Fact>
      )}
      {payout.method === "provider" && (
        <Fact name="Our ID" value={course.externalId}>
          Makes sure that the provider pays it only once.
        </Fact>
      )}
      {providerId !== null && (
        <Fact name="ID at the provider" value={providerId}>
          {batchId !== null && `In batch ${batchId}`}
        </Fact>
      )}
      {(failedCalls > 0 || refusedCodes > 0) && (
        <Fact name="Attempts">
          {counted(failedCalls, "call")} failed in a row, {counted(refusedCodes, "code")} refused
        </Fact>
      )}
      {payout.nextStepAt !== null && (
        <Fact name="Next step">
          <ExactTime iso={payout.nextStepAt} />
        </Fact>
      )}
      {payout.problem !== null && <Fact name="Problem">{payout.problem}</Fact>}
    </>
  );
}
