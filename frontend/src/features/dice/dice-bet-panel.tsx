import type { FormEvent } from "react";
import type { DiceBetType } from "@/api/types";
import { Amount, BetAmountField, Button, Field, Input, SegmentedControl, Slider } from "@/components";
import { formatPercent } from "@/lib/format";
import { formatCents, parseCents } from "@/lib/money";
import { type DiceForm, type Limits, offer } from "./rules";

type DiceBetPanelProps = {
  form: DiceForm;
  limits: Limits;
  isRolling: boolean;
  onChange(form: DiceForm): void;
  onSubmit(): void;
};

/** Amount, target, side, and the one button that says what it does. */
export function DiceBetPanel({ form, limits, isRolling, onChange, onSubmit }: DiceBetPanelProps) {
  const { chance, multiplier, profitCents } = offer(form);
  const cents = parseCents(form.amount);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }
  return (
    <form onSubmit={submit} noValidate className="grid content-start gap-4 p-4">
      <BetAmountField value={form.amount} onChange={(amount) => onChange({ ...form, amount })} {...limits} disabled={isRolling} />
      <SegmentedControl<DiceBetType>
        label="Side"
        value={form.side}
        onValueChange={(side) => onChange({ ...form, side })}
        disabled={isRolling}
        options={[
          { value: "over", label: `Over ${form.target}` },
          { value: "under", label: `${form.target} or under` },
        ]}
      />
      <div>
        <Field label="Target number">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={1}
              max={98}
              step={1}
              inputMode="numeric"
              value={Number.isNaN(form.target) ? "" : form.target}
              disabled={isRolling}
              onChange={(event) => onChange({ ...form, target: event.target.valueAsNumber })}
            />
          )}
        </Field>
        <Slider
          label="Target number"
          value={Number.isNaN(form.target) ? 1 : form.target}
          min={1}
          max={98}
          disabled={isRolling}
          onValueChange={(target) => onChange({ ...form, target })}
        />
      </div>
      <Button type="submit" variant="primary" size="large" className="max-lg:sticky max-lg:bottom-[68px] max-lg:z-10 max-lg:shadow-[0_0_0_12px_var(--color-panel)]" aria-disabled={isRolling || undefined}>
        {isRolling ? "Rolling…" : `Roll for ${cents === null ? "0.00" : formatCents(cents)}`}
      </Button>
      <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 text-14">
        <dt className="text-ink-3">Win chance</dt>
        <dd className="text-right">{Number.isNaN(chance) ? "–" : formatPercent(chance)}</dd>
        <dt className="text-ink-3">Multiplier</dt>
        <dd className="text-right">{Number.isNaN(chance) ? "–" : `${multiplier}×`}</dd>
        <dt className="text-ink-3">Profit on win</dt>
        <dd className="text-right">
          <Amount cents={Number.isNaN(profitCents) ? 0 : profitCents} signed />
        </dd>
      </dl>
    </form>
  );
}
