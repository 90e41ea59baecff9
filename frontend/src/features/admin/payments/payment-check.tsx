// Looks up a payment by its ID at the provider and shows the result.

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button, Field, Input, Panel } from "@/components";
import { centsOf, formatDollars, parseCents } from "@/lib/money";
import type { PaymentCheck } from "../api/admin";
import type { PaymentRef } from "../decisions/confirm-payment-dialog";
import { Facts } from "../decisions/decision-dialog";
import { PAYMENT_ID_REQUIRED, trimmed } from "../decisions/rules";
import { showError } from "../decisions/use-decision";
import { UserLink, PaymentStatusBadge, DateTime } from "../lists/cells";
import { useAdminView } from "../lists/url-state";
import { asLabel } from "../lists/wording";
import { IfPermitted } from "../permissions";
import type { Check } from "./use-check";

type CheckPanelProps = { check: Check; onConfirm(payment: PaymentRef): void };

export function CheckPanel({ check, onConfirm }: CheckPanelProps) {
  const { valueOf, setFilters } = useAdminView();
  const [text, setText] = useState(valueOf("payment"));
  const [isRefused, setRefused] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  function submit(event: FormEvent) {
    event.preventDefault();
    const paymentId = trimmed(text);
    setRefused(paymentId === null);
    setFilters({ payment: paymentId ?? "" });
    if (paymentId !== null) return void check.run(paymentId);
    showError(PAYMENT_ID_REQUIRED);
    return input.current?.focus();
  }
  return (
    <Panel title="Check a Payment">
      <form noValidate onSubmit={submit} className="flex max-w-[560px] flex-wrap items-start gap-3">
        <div className="min-w-[200px] flex-1">
          <Field label="Payment ID" error={isRefused ? PAYMENT_ID_REQUIRED : undefined} isQuiet>
            {(ids) => (
              <Input
                {...ids}
                ref={input}
                maxLength={64}
                autoComplete="off"
                spellCheck={false}
                placeholder="Payment or invoice ID"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Button type="submit" variant="primary" loading={check.runningId !== null} className="max-sm:w-full sm:mt-6">
          Check Status
        </Button>
      </form>
      {check.unknownId !== null && (
        <UnknownPayment id={check.unknownId} onSearch={(id) => setFilters({ search: id })} />
      )}
      {check.shown !== null && (
        <Result key={check.shown.checkCount} result={check.shown.answer} onConfirm={onConfirm} />
      )}
    </Panel>
  );
}

/** An order ID is easily mistaken for a payment ID, so this offers to search for its payments. */
function UnknownPayment({ id, onSearch }: { id: string; onSearch(id: string): void }) {
  return (
    <section
      aria-label="Unknown payment"
      className="mt-5 grid max-w-[76ch] gap-3 border-t border-line pt-5 text-14 text-ink-2"
    >
      <p>
        <strong className="font-semibold text-ink">
          Neither the provider nor the house has a payment or an invoice with the ID{" "}
          <span className="break-words">{id}</span>.
        </strong>{" "}
        Please compare it with what the player sees. If it is an order ID, search for it in the active payments.
      </p>
      <Button className="justify-self-start max-sm:w-full" onClick={() => onSearch(id)}>
        Search active payments
      </Button>
    </section>
  );
}

function Result({ result, onConfirm }: { result: PaymentCheck; onConfirm(payment: PaymentRef): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The request may have come from a table further down. Each result is a new element.
  useEffect(() => heading.current?.focus(), []);
  const local = result.local_status;
  return (
    <section aria-labelledby="payment-result" className="mt-5 grid max-w-[720px] gap-4 border-t border-line pt-5">
      <h3 id="payment-result" ref={heading} tabIndex={-1} className="scroll-mt-20 text-14 font-semibold outline-none">
        {result.id_type === "invoice" ? "Invoice" : "Payment"} {result.payment_id}
      </h3>
      <Facts
        facts={[
          [
            "Payment ID",
            <span key="id" className="break-all">
              {result.payment_id}
            </span>,
          ],
          ["API Status", <PaymentStatusBadge key="status" status={result.api_status} />],
          ["Local Status", local === null ? "Not processed" : <LocalStatus key="local" local={local} />],
          [
            "User ID",
            result.user_id === null ? "Unknown" : <UserLink key="user" id={result.user_id} username={null} />,
          ],
          [
            "Order ID",
            <span key="order" className="break-all">
              {result.order_id ?? "None"}
            </span>,
          ],
          ["Price", priceOf(result)],
          ["Received", receivedOf(result)],
          ["Last Checked", <DateTime key="when" iso={result.last_checked} />],
        ]}
      />
      <IfPermitted permission="confirm_payments">
        <Button
          className="justify-self-start max-sm:w-full"
          onClick={() => onConfirm({ id: result.payment_id, idType: result.id_type, userId: result.user_id })}
        >
          Manually Confirm Payment
        </Button>
      </IfPermitted>
    </section>
  );
}

function LocalStatus({ local }: { local: NonNullable<PaymentCheck["local_status"]> }) {
  return (
    <>
      {asLabel(local.status)}
      {local.standing !== "tracked" && `, ${local.standing}`}, {formatDollars(centsOf(local.credited_amount))} credited
    </>
  );
}

/** As the provider writes it, possibly with more than two decimals. */
function priceOf({ price_amount: price }: PaymentCheck): string {
  if (price === null) return "Unknown";
  const cents = parseCents(price);
  return cents === null ? `$${price}` : formatDollars(cents);
}

function receivedOf({ actually_paid: paid, pay_amount: expected, pay_currency: currency }: PaymentCheck): string {
  const unit = currency?.toUpperCase() ?? "";
  if (paid === null) return "Nothing yet";
  return expected === null ? `${paid} ${unit}` : `${paid} of ${expected} ${unit}`;
}
