import { Amount, BetAmountField, BetForm, DockAmount, ExtraCent, Field, Input, SegmentedControl } from "@/components";
import { MainAction } from "@/games/timed";
import type { BetPanelProps } from "@/games/timed/timed-game-spec";
import { stakeOf } from "@/lib/bet-rules";
import { formatPercent } from "@/lib/format";
import type { Curve } from "./curve";
import { type CrashForm, type CrashRefusals, extraCent, parseAuto, profitCents } from "./rules";

const CURVES: { value: Curve; label: string }[] = [
  { value: "linear", label: "Linear" },
  { value: "exponential", label: "Exponential" },
];

/** Amount, automatic cash-out, curve, and the main button. */
export function CrashBetPanel({
  form,
  limits,
  refusals,
  isLocked,
  action,
  onChange,
  onPlay,
  onSubmit,
}: BetPanelProps<CrashForm, CrashRefusals>) {
  const profit = profitCents(form);
  const auto = parseAuto(form.auto);
  return (
    <BetForm onPlay={onPlay} onSubmit={onSubmit}>
      <DockAmount>
        <BetAmountField
          value={form.amount}
          onChange={(amount) => onChange({ ...form, amount })}
          {...limits}
          isLocked={isLocked}
          refusal={refusals.amount}
        />
      </DockAmount>
      <Field
        label="Auto cash-out multiplier"
        error={refusals.auto === null ? undefined : `${refusals.auto.title}. ${refusals.auto.description}`}
        isQuiet
      >
        {(ids) => (
          <Input
            {...ids}
            value={form.auto}
            min={1.1}
            placeholder="None"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="go"
            readOnly={isLocked}
            className="font-semibold"
            onChange={(event) => onChange({ ...form, auto: event.target.value })}
          />
        )}
      </Field>
      <SegmentedControl<Curve>
        label="Growth of the multiplier"
        value={form.curve}
        onValueChange={(curve) => onChange({ ...form, curve })}
        options={CURVES}
        isLocked={isLocked}
      />
      <MainAction {...action} />
      <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 text-14">
        <dt className="text-ink-3">Profit on win</dt>
        <dd className="text-right">
          {profit !== null ? (
            <Amount cents={profit} signed />
          ) : auto === null && stakeOf(form.amount) !== null ? (
            "your choice"
          ) : (
            "–"
          )}
        </dd>
        <ExtraCent chance={extraCent(form)} />
        <dt className="text-ink-3">Chance to reach it</dt>
        <dd className="text-right">{auto === null || Number.isNaN(auto) ? "–" : formatPercent(99 / auto)}</dd>
        <dt className="text-ink-3">Growth</dt>
        <dd className="text-right">{form.curve === "linear" ? "+0.70 a second" : "×1.1 a second"}</dd>
      </dl>
      <p className="text-13 text-ink-3 max-lg:hidden">
        Enter in a field places the bet. While playing, the key C cashes out.
      </p>
    </BetForm>
  );
}
