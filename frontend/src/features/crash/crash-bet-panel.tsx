import type { FormEvent } from "react";
import { Amount, BetAmountField, Field, Input, SegmentedControl } from "@/components";
import { MainAction, type MainActionProps } from "@/components/live";
import { formatPercent } from "@/lib/format";
import type { Curve } from "@/lib/live/curve";
import { type CrashForm, type CrashLimits, parseAuto, profitCents } from "./rules";

const CURVES: { value: Curve; label: string }[] = [
  { value: "linear", label: "Linear" },
  { value: "exponential", label: "Exponential" },
];

type CrashBetPanelProps = {
  form: CrashForm;
  limits: CrashLimits;
  isLocked: boolean;
  action: MainActionProps;
  onChange(form: CrashForm): void;
  onSubmit(): void;
};

/** Amount, automatic cash-out, curve, and the one button that says what it does. */
export function CrashBetPanel({ form, limits, isLocked, action, onChange, onSubmit }: CrashBetPanelProps) {
  const profit = profitCents(form);
  const auto = parseAuto(form.auto);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }
  return (
    <form onSubmit={submit} noValidate className="grid content-start gap-4 p-4">
      <BetAmountField value={form.amount} onChange={(amount) => onChange({ ...form, amount })} {...limits} disabled={isLocked} />
      <Field label="Auto cash-out multiplier">
        {(ids) => (
          <Input
            {...ids}
            value={form.auto}
            min={1.1}
            placeholder="None"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="go"
            disabled={isLocked}
            className="font-semibold"
            onChange={(event) => onChange({ ...form, auto: event.target.value })}
          />
        )}
      </Field>
      <SegmentedControl<Curve> label="Growth of the multiplier" value={form.curve} onValueChange={(curve) => onChange({ ...form, curve })} options={CURVES} disabled={isLocked} />
      <MainAction {...action} />
      <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 text-14">
        <dt className="text-ink-3">Profit on win</dt>
        <dd className="text-right">{profit === null ? "your choice" : <Amount cents={profit} signed />}</dd>
        <dt className="text-ink-3">Chance to reach it</dt>
        <dd className="text-right">{auto === null || Number.isNaN(auto) ? "–" : formatPercent(99 / auto)}</dd>
        <dt className="text-ink-3">Growth</dt>
        <dd className="text-right">{form.curve === "linear" ? "+0.70 a second" : "×1.1 a second"}</dd>
      </dl>
      <p className="text-13 text-ink-3 max-lg:hidden">While playing, the key C cashes out.</p>
    </form>
  );
}
