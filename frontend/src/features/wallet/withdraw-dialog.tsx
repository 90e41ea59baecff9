// The withdraw dialog: one form that shows the net amount and the available funds.

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useSession } from "@/api/session";
import { Button, Dialog, Field, Input } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { formatDollars, parseCents, wireAmount } from "@/lib/money";
import { CurrencyField } from "./currency-field";
import { useWithdrawal } from "./use-withdrawal";
import { feeCentsOf, type WithdrawForm } from "./withdraw-rules";
import { WithdrawableFunds } from "./withdrawable-funds";

type WithdrawDialogProps = { open: boolean; onOpenChange(open: boolean): void };

/** Unmounted once closed, which clears the form. */
export function WithdrawDialog({ open, ...props }: WithdrawDialogProps) {
  return open ? <OpenWithdrawDialog {...props} /> : null;
}

function OpenWithdrawDialog({ onOpenChange }: Omit<WithdrawDialogProps, "open">) {
  const [form, setForm] = useState<WithdrawForm>({ amount: "", currency: "btc", walletAddress: "" });
  const { funds, isSending, mark, clearMark, request } = useWithdrawal(() => onOpenChange(false));
  const { refresh } = useSession();
  const formId = useId();
  const amount = useRef<HTMLInputElement>(null);
  const currency = useRef<HTMLSelectElement>(null);
  const walletAddress = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (mark) ({ amount, currency, walletAddress })[mark.field].current?.focus();
  }, [mark]);
  const refreshOnce = useRef(refresh);
  // A deposit may have been credited since the balance was loaded.
  useEffect(() => {
    void refreshOnce.current();
  }, []);
  function change(changed: Partial<WithdrawForm>) {
    setForm({ ...form, ...changed });
    clearMark();
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    void request(form);
  }
  const errorOf = (field: keyof WithdrawForm) => (mark?.field === field ? mark.text : undefined);

  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      initialFocus={amount}
      title="Withdraw"
      description="Send your winnings to your own wallet."
      footer={
        <Button type="submit" form={formId} variant="primary" size="large" className="w-full" loading={isSending}>
          Request Withdrawal
        </Button>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="grid gap-4">
        <WithdrawableFunds funds={funds} />
        <Field label="Amount (USD)" error={errorOf("amount")}>
          {(ids) => (
            <div className="flex overflow-hidden rounded-control border border-control bg-well focus-within:border-brass has-aria-invalid:border-notice">
              <Input
                {...ids}
                ref={amount}
                name="amount"
                required
                min="20"
                step="1"
                inputMode="decimal"
                autoComplete="off"
                placeholder="0.00"
                value={form.amount}
                onChange={(event) => change({ amount: event.target.value })}
                className="min-w-0 flex-1 rounded-none border-0 focus-visible:outline-offset-[-2px]"
              />
              <button
                type="button"
                aria-label="Withdraw the full available amount"
                className="h-11 border-l border-control px-4 text-14 font-semibold text-ink-2 hover:bg-raised hover:text-ink focus-visible:outline-offset-[-2px]"
                onClick={() => change({ amount: wireAmount(funds.availableCents) })}
              >
                Max
              </button>
            </div>
          )}
        </Field>
        <CurrencyField
          purpose="withdrawal"
          value={form.currency}
          onChange={(chosen) => change({ currency: chosen })}
          error={errorOf("currency")}
          trigger={currency}
        />
        <Field
          label="Wallet address"
          hint="Double-check it: a transfer cannot be reversed."
          error={errorOf("walletAddress")}
        >
          {(ids) => (
            <Input
              {...ids}
              ref={walletAddress}
              name="walletAddress"
              required
              maxLength={256}
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              value={form.walletAddress}
              onChange={(event) => change({ walletAddress: event.target.value })}
            />
          )}
        </Field>
        <Cost amount={form.amount} currency={form.currency} />
        <ul className="grid list-disc gap-1.5 pl-5 text-13 text-ink-2">
          <li>1% processing fee on all withdrawals</li>
          <li>Manual processing takes 24-48 hours</li>
          <li>Only wagered funds can be withdrawn</li>
          <li>Minimum $20.00</li>
        </ul>
      </form>
    </Dialog>
  );
}

/** The fee and the net amount of what was typed. */
function Cost({ amount, currency }: { amount: string; currency: string }) {
  const cents = parseCents(amount);
  const feeCents = cents === null ? null : feeCentsOf(cents);
  const netCents = cents === null || feeCents === null ? null : cents - feeCents;
  return (
    <dl aria-label="Cost" className="grid grid-cols-[1fr_auto] gap-y-1.5 rounded-control bg-well p-4 text-14">
      <dt className="text-ink-2">Processing fee (1%)</dt>
      <dd className="text-right">{feeCents === null ? "–" : formatDollars(feeCents)}</dd>
      <dt className="font-semibold">You receive</dt>
      <dd className="text-right font-semibold">
        {netCents === null ? "–" : `${currencyLabel(currency)} worth ${formatDollars(netCents)}`}
      </dd>
    </dl>
  );
}
