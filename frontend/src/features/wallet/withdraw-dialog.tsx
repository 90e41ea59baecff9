// The withdraw dialog: one form that shows the net amount and the available funds.

import { useEffect, useId, useRef } from "react";
import { Controller, useWatch } from "react-hook-form";
import { useQuery } from "@/api/hooks";
import { useHouse } from "@/api/house";
import { useSession } from "@/api/session";
import { Button, Dialog, Field, Input } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { formatDollars, parseCents, wireAmount } from "@/lib/money";
import { useSettled } from "@/lib/use-settled";
import { CurrencyField } from "./currency-field";
import { DelayNotice } from "./delay-notice";
import { WithdrawalsStopped, withdrawalStop } from "./stopped";
import { useWithdrawForm } from "./use-withdrawal";
import { WalletAddressField } from "./wallet-address-field";
import { feeCentsOf, MIN_CENTS } from "./withdraw-rules";
import { WithdrawableFunds } from "./withdrawable-funds";

type WithdrawDialogProps = { open: boolean; onOpenChange(open: boolean): void };

/** Unmounted once closed, which clears the form. */
export function WithdrawDialog({ open, ...props }: WithdrawDialogProps) {
  return open ? <OpenWithdrawDialog {...props} /> : null;
}

function OpenWithdrawDialog({ onOpenChange }: Omit<WithdrawDialogProps, "open">) {
  const { user } = useSession();
  const stop = withdrawalStop(useHouse(), user ?? null);
  if (stop === null) return <WithdrawForm onOpenChange={onOpenChange} />;
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="Withdraw"
      footer={
        <Button className="w-full" onClick={() => onOpenChange(false)}>
          Close
        </Button>
      }
    >
      <WithdrawalsStopped stop={stop} />
    </Dialog>
  );
}

function WithdrawForm({ onOpenChange }: Omit<WithdrawDialogProps, "open">) {
  const { form, funds, onSubmit } = useWithdrawForm(() => onOpenChange(false));
  const { register, control, setFocus, setValue, clearErrors, formState } = form;
  const [amount, currency, walletAddress] = useWatch({ control, name: ["amount", "currency", "walletAddress"] });
  const { refresh } = useSession();
  const formId = useId();
  const refreshOnce = useRef(refresh);
  // A deposit may have been credited since the balance was loaded.
  useEffect(() => {
    void refreshOnce.current();
  }, []);
  function withdrawAll() {
    setValue("amount", wireAmount(funds.availableCents));
    clearErrors();
  }

  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      initialFocus={() => setFocus("amount")}
      title="Withdraw"
      description="Send your winnings to your own wallet."
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          size="large"
          className="w-full"
          loading={formState.isSubmitting}
        >
          Request Withdrawal
        </Button>
      }
    >
      <form id={formId} onSubmit={onSubmit} onChange={() => clearErrors()} noValidate className="grid gap-4">
        <WithdrawableFunds funds={funds} />
        <Field label="Amount (USD)" error={formState.errors.amount?.message}>
          {(ids) => (
            <div className="flex overflow-hidden rounded-control border border-control bg-well focus-within:border-brass has-aria-invalid:border-notice">
              <Input
                {...ids}
                {...register("amount")}
                required
                min="20"
                step="1"
                inputMode="decimal"
                autoComplete="off"
                placeholder="0.00"
                className="min-w-0 flex-1 rounded-none border-0 focus-visible:outline-offset-[-2px]"
              />
              <button
                type="button"
                aria-label="Withdraw the full available amount"
                className="h-11 border-l border-control px-4 text-14 font-semibold text-ink-2 hover:bg-raised hover:text-ink focus-visible:outline-offset-[-2px]"
                onClick={withdrawAll}
              >
                Max
              </button>
            </div>
          )}
        </Field>
        <Controller
          control={control}
          name="currency"
          render={({ field, fieldState }) => (
            <CurrencyField
              purpose="withdrawal"
              value={field.value}
              onChange={field.onChange}
              error={fieldState.error?.message}
              ref={field.ref}
            />
          )}
        />
        <WalletAddressField form={form} />
        <DelayNotice currency={currency} walletAddress={walletAddress} />
        <Cost amount={amount} currency={currency} />
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

/** About how much of the coin arrives, at the present rate. */
function CoinQuote({ cents, currency }: { cents: number | null; currency: string }) {
  const settled = useSettled(cents, TYPING_PAUSE_MS);
  const canBeAsked = settled !== null && settled >= MIN_CENTS && currency !== "";
  const { data } = useQuery(
    "/api/withdraw-requests/quote",
    canBeAsked ? { params: { query: { amount: wireAmount(settled), currency } } } : null,
  );
  const coins = canBeAsked && settled === cents ? data?.coinAmount : undefined;
  return (
    <>
      <dt className="text-ink-2">At the present rate</dt>
      <dd aria-live="polite" className="text-right tabular-nums">
        {coins == null ? "–" : `about ${coins} ${currencyLabel(currency)}`}
      </dd>
    </>
  );
}
const TYPING_PAUSE_MS = 400;

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
      <CoinQuote cents={cents} currency={currency} />
    </dl>
  );
}
