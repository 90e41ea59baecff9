import { Amount, BetAmountField, BetForm, DockAmount, ExtraCent, Field, Input, SegmentedControl } from "@/components";
import { BetOptions } from "@/components/bet-options";
import { GameButton } from "@/components/game-button";
import { RepeatBet, StakePresets } from "@/components/stake-presets";
import { TurboSwitch } from "@/components/turbo-switch";
import { AutobetFields, AutobetProgress, BetSummary, ModeControl } from "@/games/autobet/parts";
import type { Autobet } from "@/games/autobet/use-autobet";
import { formatPercent } from "@/lib/format";
import { formatWire } from "@/lib/money";
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
  limits: Limits;
  refusals: { amount: Refusal | null; target: Refusal | null };
  autobet: Autobet;
  /** Whether the bet cannot be changed: a roll or autobet is running. */
  isLocked: boolean;
  action: { stage: string; label: string; isOff: boolean };
  last: { amount: string } | null;
  onChange(form: DiceForm): void;
  /** Enter in a field: places a bet, and never stops autobet. */
  onPlay(): void;
  onSubmit(): void;
  onRepeat(): void;
};

/** Amount, target, side, and the main button. */
export function DiceBetPanel({
  form,
  limits,
  refusals,
  autobet,
  isLocked,
  action,
  last,
  onChange,
  onPlay,
  onSubmit,
  onRepeat,
}: DiceBetPanelProps) {
  const offered = odds(form);
  const profit = profitCents(form);
  const target = parseTarget(form.target) ?? "–";
  return (
    <BetForm onPlay={onPlay} onSubmit={() => undefined}>
      <DockAmount className="dock-mode">
        <ModeControl autobet={autobet} isLocked={isLocked} />
        <BetAmountField
          value={form.amount}
          onChange={(amount) => onChange({ ...form, amount })}
          {...limits}
          isLocked={isLocked}
          refusal={refusals.amount}
        />
      </DockAmount>
      <BetOptions summary={<BetSummary autobet={autobet} terms={summaryOf(form)} />}>
        <div className="grid gap-1">
          <StakePresets onChange={(amount) => onChange({ ...form, amount })} {...limits} isLocked={isLocked} />
          {autobet.mode === "manual" && (
            <RepeatBet amount={last === null ? null : formatWire(last.amount)} isOff={isLocked} onRepeat={onRepeat} />
          )}
        </div>
        <SegmentedControl<DiceBetType>
          label="Side"
          value={form.side}
          onValueChange={(side) => onChange({ ...form, side })}
          isLocked={isLocked}
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
                readOnly={isLocked}
                onChange={(event) => onChange({ ...form, target: event.target.value })}
              />
            )}
          </Field>
        </div>
        <AutobetFields autobet={autobet} />
        <TurboSwitch />
      </BetOptions>
      <GameButton stage={action.stage} isOff={action.isOff} onPress={onSubmit}>
        {action.label}
      </GameButton>
      <AutobetProgress autobet={autobet} />
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

/** "Over 50 · 1.98×". */
function summaryOf(form: DiceForm): string {
  const target = parseTarget(form.target);
  const offered = odds(form);
  if (target === null || offered === null) return "Choose a target";
  return `${form.side === "over" ? `Over ${target}` : `${target} or under`} · ${offered.multiplier}×`;
}
