import type { FormEvent } from "react";
import { Amount, BetAmountField, Field, Input } from "@/components";
import { MainAction, type MainActionProps } from "@/components/live";
import { type StonksForm, type StonksLimits, profitCents } from "./rules";

type StonksBetPanelProps = {
  form: StonksForm;
  limits: StonksLimits;
  isLocked: boolean;
  action: MainActionProps;
  onChange(form: StonksForm): void;
  onSubmit(): void;
};

/** Amount, auto-sell amount, and the one button that says what it does. */
export function StonksBetPanel({ form, limits, isLocked, action, onChange, onSubmit }: StonksBetPanelProps) {
  const profit = profitCents(form);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }
  return (
    <form onSubmit={submit} noValidate className="grid content-start gap-4 p-4">
      <BetAmountField value={form.amount} onChange={(amount) => onChange({ ...form, amount })} {...limits} disabled={isLocked} />
      <Field label="Auto-Sell profit target ($)" hint="Sells at this worth; empty for none.">
        {(ids) => (
          <Input
            {...ids}
            value={form.target}
            min={0.01}
            placeholder="None"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="go"
            disabled={isLocked}
            className="font-semibold"
            onChange={(event) => onChange({ ...form, target: event.target.value })}
          />
        )}
      </Field>
      <MainAction {...action} />
      <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 text-14">
        <dt className="text-ink-3">Profit on win</dt>
        <dd className="text-right">{profit === null ? "your choice" : <Amount cents={profit} signed />}</dd>
        <dt className="text-ink-3">A new price</dt>
        <dd className="text-right">every 0.5 s</dd>
        <dt className="text-ink-3">Market closes</dt>
        <dd className="text-right">after 240 prices</dd>
      </dl>
      <p className="text-13 text-ink-3 max-lg:hidden">While trading, the key C sells.</p>
    </form>
  );
}
