// One withdrawal: what is to be paid and where to, what became of it, and what can be done.

import { useState } from "react";
import { useSWRConfig } from "swr";
import { Badge, Button, PageHeader, Panel, Stat } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { counted } from "@/lib/format";
import { formatWire } from "@/lib/money";
import { type AdminWithdrawal, fetchWithdrawal, type WithdrawalPage as Found } from "../api/admin";
import { userIdOf } from "../decisions/rules";
import { History } from "../history/history";
import { WaitingProposal } from "../history/waiting-proposal";
import { ExactTime, StateBadge, UserLink } from "../lists/cells";
import { Fact, Facts, Moment } from "../lists/facts";
import { ThingPage, usePage } from "../lists/page";
import { asLabel } from "../lists/wording";
import { useRefreshPending } from "../live/pending-work";
import { tabAddress } from "../tabs";
import { DecisionOf, type OpenDialog, useSteps } from "../withdrawals/decisions";
import { PayoutBadge, riskText, totalsOf, TransactionLink } from "../withdrawals/payout-cell";
import { METHODS, PAYOUT_STATES, type Payout } from "../withdrawals/wording";
import { historyOf } from "./history";

const ALL = `${tabAddress("withdrawals")}&status=all`;

export function WithdrawalPage({ withdrawalId }: { withdrawalId: string }) {
  const id = userIdOf(withdrawalId);
  const withdrawal = usePage(id === null ? null : ["admin", "withdrawal", id], () => fetchWithdrawal(id ?? 0));
  return (
    <ThingPage
      name="Withdrawal"
      id={withdrawalId}
      hint="The ID may be mistyped. Withdrawals are never deleted."
      all={ALL}
      state={withdrawal}
      isUnknown={id === null}
    >
      {(found) => <Withdrawal found={found} reload={async () => void (await withdrawal.mutate())} />}
    </ThingPage>
  );
}

function Withdrawal({ found, reload }: { found: Found; reload(): Promise<void> }) {
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
            <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-14">
              <UserLink id={request.userId} username={request.user.username} />
              <StateBadge state={status} />
              {payout !== null && <PayoutBadge state={payout.state} />}
              {status === "pending" && request.payableFrom !== null && <Badge tone="notice">Delayed</Badge>}
            </p>
            <Actions request={request} reload={reload} />
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
function Actions({ request, reload }: { request: AdminWithdrawal; reload(): Promise<void> }) {
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { steps, hindrance } = useSteps(request);
  const { mutate } = useSWRConfig();
  const refreshPending = useRefreshPending();
  function end() {
    setDialog(null);
    refreshPending();
    void mutate((key) => Array.isArray(key) && key[0] === "admin" && key[1] === "approval");
    void reload();
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
          onDone={end}
          onProposed={end}
          onConflict={end}
          onUnsure={end}
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
      <Facts>
        <Fact name="Address" value={request.walletAddress}>
          {counted(address.requests, "request")} of the player to it
          {address.firstRequestedAt !== null && (
            <>
              , the first on <ExactTime iso={address.firstRequestedAt} />
            </>
          )}
        </Fact>
        <Fact name="In the address book">
          {address.addedAt === null ? (
            "The player has removed it"
          ) : (
            <>
              Since <ExactTime iso={address.addedAt} />
            </>
          )}
        </Fact>
        <Fact name="When it was requested">{riskText(request)}</Fact>
        {totals !== null && <Fact name={totals[0]}>{totals[1]}</Fact>}
        {request.payout !== null && course !== null && (
          <Payment request={request} payout={request.payout} course={course} />
        )}
      </Facts>
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
        <Fact name="ID of the house" value={course.externalId}>
          By which the provider pays it once.
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
