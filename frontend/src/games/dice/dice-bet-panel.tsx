import {
  Amount,
  BetAmountField,
  BetForm,
  Button,
  DockAction,
  DockAmount,
  ExtraCent,
  Field,
  Input,
  SegmentedControl,
  Slider,
} from "@/components";
import { withAmount } from "@/lib/bet-rules";
import { formatPercent } from "@/lib/format";
import type { DiceBetType } from "./api";
import {
  type DiceForm,
  extraCent,
  MAX_TARGET,
  MIN_TARGET,
  type Limits,
  odds,
  parseTarget,
  profitCents,
  type Refusal,
} from "./rules";

type DiceBetPanelProps = {
  form: DiceForm;
  /** The last valid target: where the slider stays while something else is typed. */
  lastTarget: number;
  limits: Limits;
  refusals: { amount: Refusal | null; target: Refusal | null };
  isRolling: boolean;
  isPaused: boolean;
  onChange(form: DiceForm): void;
  onSubmit(): void;
};

/** Amount, target, side, and the main button. */
export function DiceBetPanel({
  form,
  lastTarget,
  limits,
  refusals,
  isRolling,
  isPaused,
  onChange,
  onSubmit,
}: DiceBetPanelProps) {
  const offered = odds(form);
  const profit = profitCents(form);
  const target = parseTarget(form.target) ?? "–";
  return (
    <BetForm onPlay={onSubmit} onSubmit={onSubmit}>
      <DockAmount>
        <BetAmountField
          value={form.amount}
          onChange={(amount) => onChange({ ...form, amount })}
          {...limits}
          isLocked={isRolling}
          refusal={refusals.amount}
        />
      </DockAmount>
      <SegmentedControl<DiceBetType>
        label="Side"
        value={form.side}
        onValueChange={(side) => onChange({ ...form, side })}
        isLocked={isRolling}
        options={[
          { value: "over", label: `Over ${target}` },
          { value: "under", label: `${target} or under` },
        ]}
      />
      <div>
        <Field label="Target number" error={refusals.target?.description} isQuiet>
          {(ids) => (
            <Input
              {...ids}
              min={MIN_TARGET}
              max={MAX_TARGET}
              inputMode="numeric"
              autoComplete="off"
              enterKeyHint="go"
              value={form.target}
              readOnly={isRolling}
              onChange={(event) => onChange({ ...form, target: event.target.value })}
            />
          )}
        </Field>
        <Slider
          label="Target number"
          value={lastTarget}
          min={MIN_TARGET}
          max={MAX_TARGET}
          isLocked={isRolling}
          onValueChange={(next) => onChange({ ...form, target: String(next) })}
        />
      </div>
      <DockAction>
        <Button
          type="submit"
          variant="primary"
          size="large"
          className="w-full"
          aria-disabled={isRolling || isPaused || undefined}
        >
          {isRolling ? "Rolling…" : isPaused ? "Paused" : withAmount("Roll for", form.amount)}
        </Button>
      </DockAction>
      <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 text-14">
        <dt className="text-ink-3">Win chance</dt>
        <dd className="text-right">{offered ? formatPercent(offered.chance) : "–"}</dd>
        <dt className="text-ink-3">Multiplier</dt>
        <dd className="text-right">{offered ? `${offered.multiplier}×` : "–"}</dd>
        <dt className="text-ink-3">Profit on win</dt>
        <dd className="text-right">{profit === null ? "–" : <Amount cents={profit} signed />}</dd>
        <ExtraCent chance={extraCent(form)} />
      </dl>
    </BetForm>
  );
}
