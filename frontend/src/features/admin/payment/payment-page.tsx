// One payment of the provider: what was asked and received, what became of it, and what can be done.

import { useState } from "react";
import { useSession } from "@/api/session";
import { Badge, Button, PageHeader, Panel, Stat } from "@/components";
import { centsOf, formatDollars, formatWire, parseCents } from "@/lib/money";
import { type AdminPayment, fetchPayment, type Outcome, type PaymentConfirmed, type Review } from "../api/admin";
import { ConfirmPaymentDialog, type PaymentWithRest } from "../decisions/confirm-payment-dialog";
import { ResolveDialog } from "../decisions/resolve-dialog";
import { isConfirmable, restCentsOf } from "../decisions/rules";
import { History } from "../history/history";
import { WaitingProposal } from "../history/waiting-proposal";
import { ExactTime, PageLink, PaymentLink, PaymentLinks, PaymentStatusBadge, UserLink } from "../lists/cells";
import { Fact, FactList, Moment } from "../lists/facts";
import { type Settle, Standing, ThingPage, usePage, useSettle } from "../lists/page";
import { asLabel, inWords } from "../lists/wording";
import { offersConfirmation } from "../payments/review-kinds";
import { ReviewItem } from "../payments/reviews-panel";
import { useCheck } from "../payments/use-check";
import { IfPermitted } from "../permissions";
import { tabAddress } from "../tabs";
import { confirmed, proposed, resolved } from "./acts";
import { historyOf, receivedOf } from "./history";

type PaymentFacts = NonNullable<AdminPayment["facts"]>;

export function PaymentPage({ paymentId }: { paymentId: string }) {
  const payment = usePage(["admin", "payment", paymentId], () => fetchPayment(paymentId));
  const settle = useSettle(payment);
  return (
    <ThingPage
      name="Payment"
      id={paymentId}
      hint="The ID may be mistyped, or the provider has not reported it yet. Orders and invoices have other IDs."
      all={tabAddress("payments")}
      state={payment}
    >
      {(found) => <Payment payment={found} settle={settle} />}
    </ThingPage>
  );
}

/** The dialogs, and the check at the provider. Each act changes the page and what waits elsewhere. */
function useActs(payment: AdminPayment, settle: Settle<AdminPayment>) {
  const [confirming, setConfirming] = useState<PaymentWithRest | null>(null);
  const [resolving, setResolving] = useState<Review | null>(null);
  const { user: me, refresh } = useSession();
  const check = useCheck((answer) => {
    void settle();
    // The check may have credited the administrator's own deposit.
    if (answer.user_id === me?.id) void refresh();
  });
  const confirm = () =>
    setConfirming({
      id: payment.paymentId,
      idType: "payment",
      userId: payment.deposit?.userId ?? null,
      restCents: restCentsOf(payment.reviews, payment.paymentId),
    });
  const end: Settle<AdminPayment> = (change, record) => {
    setConfirming(null);
    setResolving(null);
    return settle(change, record);
  };
  return { confirming, setConfirming, resolving, setResolving, end, check, confirm };
}

type Acts = ReturnType<typeof useActs>;

function Payment({ payment, settle }: { payment: AdminPayment; settle: Settle<AdminPayment> }) {
  const { paymentId, facts } = payment;
  const acts = useActs(payment, settle);
  const open = payment.reviews.filter(({ resolvedAt }) => resolvedAt === null);
  return (
    <>
      <PageHeader
        title={`Payment ${paymentId}`}
        kicker={facts === null ? "Not looked up yet" : asLabel(facts.standing)}
        backTo={{ to: tabAddress("payments"), label: "All payments" }}
      />
      <Panel>
        <div className="grid gap-4">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <PaymentStanding payment={payment} />
            <Actions payment={payment} open={open} acts={acts} />
          </div>
          <WaitingProposal proposals={payment.proposals} paymentId={paymentId} />
          {facts !== null && <Amounts payment={payment} facts={facts} />}
        </div>
      </Panel>
      {open.length > 0 && (
        <Panel title="Needs Attention">
          <ul aria-label="Open reviews" className="-my-5 divide-y divide-line">
            {open.map((review) => (
              <ReviewItem
                key={review.id}
                review={review}
                onCheck={acts.check.run}
                checkingId={acts.check.runningId}
                onConfirm={acts.confirm}
                onResolve={() => acts.setResolving(review)}
              />
            ))}
          </ul>
        </Panel>
      )}
      <History of={`payment ${paymentId}`} happenings={historyOf(payment)} />
      <Details payment={payment} />
      <Dialogs acts={acts} />
    </>
  );
}

function PaymentStanding({ payment: { facts, deposit, reviews } }: { payment: AdminPayment }) {
  const needs = reviews.some(({ resolvedAt }) => resolvedAt === null);
  return (
    <Standing>
      {deposit === null ? (
        <span className="text-ink-2">{facts === null ? "Deposit not known yet" : "Belongs to no deposit"}</span>
      ) : (
        <UserLink id={deposit.userId} username={deposit.user.username} />
      )}
      {facts !== null && <PaymentStatusBadge status={facts.status} />}
      {needs && <Badge className="text-brass">needs attention</Badge>}
    </Standing>
  );
}

type ActionsProps = { payment: AdminPayment; open: readonly Review[]; acts: Acts };

/** What the open reviews do not offer themselves. */
function Actions({ payment: { paymentId, facts }, open, acts }: ActionsProps) {
  const canConfirm =
    facts !== null &&
    isConfirmable({
      is_processed: centsOf(facts.creditedAmount) > 0,
      reviews: open.map(({ kind }) => kind),
      status: facts.status,
    });
  return (
    <div className="flex flex-wrap gap-2">
      {open.length === 0 && (
        <IfPermitted permission="check_payments">
          <Button
            size="small"
            loading={acts.check.runningId !== null}
            onClick={() => void acts.check.run(paymentId, "payment")}
          >
            Check Status
          </Button>
        </IfPermitted>
      )}
      {canConfirm && !open.some(offersConfirmation) && (
        <IfPermitted permission="confirm_payments">
          <Button size="small" onClick={acts.confirm}>
            Confirm…
          </Button>
        </IfPermitted>
      )}
    </div>
  );
}

function Dialogs({ acts: { confirming, setConfirming, resolving, setResolving, end } }: { acts: Acts }) {
  function endConfirming(outcome?: Outcome<PaymentConfirmed>) {
    if (outcome === undefined) void end();
    else void end("proposal" in outcome ? proposed(outcome.proposal) : confirmed(outcome.done));
  }
  return (
    <>
      {confirming !== null && (
        <ConfirmPaymentDialog payment={confirming} onCancel={() => setConfirming(null)} onSettled={endConfirming} />
      )}
      {resolving !== null && (
        <ResolveDialog
          review={resolving}
          onCancel={() => setResolving(null)}
          onDone={(review) => void end(resolved(review))}
          onConflict={() => void end(undefined, `review-${resolving.id}`)}
        />
      )}
    </>
  );
}

/** As the provider writes it, possibly with more than two decimals, and not in dollars. */
function priceOf({ priceAmount, priceCurrency }: PaymentFacts): string {
  if (priceAmount === null) return "Unknown";
  if (priceCurrency?.toLowerCase() !== "usd") return `${priceAmount} ${priceCurrency?.toUpperCase() ?? ""}`.trim();
  const cents = parseCents(priceAmount);
  return cents === null ? `$${priceAmount}` : formatDollars(cents);
}

function Amounts({ payment: { deposit }, facts }: { payment: AdminPayment; facts: PaymentFacts }) {
  const unit = facts.payCurrency?.toUpperCase() ?? "";
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 xl:grid-cols-6">
      <Stat
        label="Price"
        value={deposit === null ? priceOf(facts) : formatWire(deposit.amount)}
        hint={deposit === null ? "By the provider" : "Of the deposit"}
      />
      <Stat label="Requested" value={facts.payAmount === null ? "Unknown" : `${facts.payAmount} ${unit}`} />
      <Stat label="Received" value={facts.actuallyPaid === null ? "Nothing yet" : `${facts.actuallyPaid} ${unit}`} />
      <Stat label="Credited" value={formatWire(facts.creditedAmount)} />
      <Stat label="First seen" value={<Moment iso={facts.firstSeenAt} />} />
      <Stat label="Last change" value={<Moment iso={facts.updatedAt} />} />
    </dl>
  );
}

function Details({ payment }: { payment: AdminPayment }) {
  const { paymentId, facts, deposit, notificationWaitsSince, nextAttemptAt } = payment;
  const others = (deposit?.paymentIds ?? []).filter((id) => id !== paymentId);
  return (
    <Panel title="Details">
      <FactList>
        <Fact name="Payment ID" value={paymentId}>
          The provider's.
        </Fact>
        <Fact name="Deposit">
          <DepositText payment={payment} />
        </Fact>
        {others.length > 0 && (
          <Fact name="Other payments of this deposit">
            <PaymentLinks ids={others} />
          </Fact>
        )}
        {facts !== null && facts.parentId !== null && (
          <Fact name="Follows the payment">
            <PaymentLink id={facts.parentId} />
          </Fact>
        )}
        {facts !== null && <AtProvider facts={facts} />}
        {notificationWaitsSince !== null && (
          <Fact name="Waiting notification">
            Since <ExactTime iso={notificationWaitsSince} />
            {nextAttemptAt !== null && (
              <>
                , tried next <ExactTime iso={nextAttemptAt} />
              </>
            )}
          </Fact>
        )}
      </FactList>
    </Panel>
  );
}

/** The deposit, with a link to it. Before the payment was looked up, nobody knows whether there is one. */
function DepositText({ payment: { facts, deposit } }: { payment: AdminPayment }) {
  if (deposit === null) return facts === null ? "Not known yet" : "None: it belongs to no deposit";
  const { id, status, creditedAmount, amount } = deposit;
  return (
    <>
      <PageLink to={`${tabAddress("deposits")}&search=${encodeURIComponent(`#${id}`)}`}>Deposit {id}</PageLink>,{" "}
      {inWords(status)}, {formatWire(creditedAmount)} of {formatWire(amount)} credited
    </>
  );
}

/** What the provider has reported. */
function AtProvider({ facts }: { facts: PaymentFacts }) {
  const rate = facts.rateAmount === null ? null : `${facts.rateAmount} ${facts.rateCurrency?.toUpperCase() ?? ""}`;
  const outcome = facts.outcomeAmount;
  return (
    <>
      <Text name="Order ID" value={facts.orderId} />
      <Text name="Invoice ID" value={facts.invoiceId} />
      <Text name="Address" value={facts.payAddress} note="The coins are sent to it." />
      <Text name="Transaction hash" value={facts.transactionHash} note="Of the payer's transaction." />
      <Fact name="Price at the provider">{priceOf(facts)}</Fact>
      <Fact name="Received">{receivedOf(facts)}</Fact>
      {rate !== null && <Fact name="Requested for the whole price">{rate}</Fact>}
      {outcome !== null && (
        <Fact name="The house receives">
          {outcome} {facts.outcomeCurrency?.toUpperCase()}
        </Fact>
      )}
      <Fact name="Last checked by an administrator">
        {facts.checkedAt === null ? "Never" : <ExactTime iso={facts.checkedAt} />}
      </Fact>
    </>
  );
}

function Text({ name, value, note = "" }: { name: string; value: string | null; note?: string }) {
  if (value === null) return null;
  return (
    <Fact name={name} value={value}>
      {note}
    </Fact>
  );
}
