import type { ReactNode } from "react";
import { Amount, BetAmountField, BetForm, DockAmount, Field, Input } from "@/components";
import type { Refusal } from "@/lib/bet-rules";
import { formatWire } from "@/lib/money";
import { BetOptions } from "@/components/bet-options";
import { RepeatBet, StakePresets } from "@/components/stake-presets";
import { TurboSwitch } from "@/components/turbo-switch";
import { AutobetFields, AutobetProgress, BetSummary, ModeControl } from "@/games/autobet/parts";
import { MainAction } from "./main-action";
import type { BetPanelProps } from "./timed-game-spec";

type AmountForm = { amount: string };
type TimedBetFormProps<F extends AmountForm> = {
  panel: BetPanelProps<F, { amount: Refusal | null }>;
  /** The field that ends the round automatically. */
  auto: {
    label: string;
    hint?: string;
    error: string | undefined;
    value: string;
    min: number;
    onChange(text: string): void;
  };
  /** The game's own fields. */
  children?: ReactNode;
  /** The profit on a win, or the text in its place. */
  profit: number | string;
  /** Further figures, as terms and values of a description list. */
  facts: ReactNode;
  keys: string;
  /** The terms in a few words. */
  summary: string;
};

/** The bet form of a timed game: amount, automatic end, the game's own fields, main button and figures. */
export function TimedBetForm<F extends AmountForm>({
  panel: { form, limits, refusals, isLocked, action, autobet, last, onRepeat, onChange, onPlay, onSubmit },
  auto: { value, min, onChange: onAutoChange, ...field },
  children,
  profit,
  facts,
  keys,
  summary,
}: TimedBetFormProps<F>) {
  return (
    <BetForm onPlay={onPlay} onSubmit={onSubmit}>
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
      <BetOptions summary={<BetSummary autobet={autobet} terms={summary} />}>
        <div className="grid gap-1">
          <StakePresets onChange={(amount) => onChange({ ...form, amount })} {...limits} isLocked={isLocked} />
          {autobet.mode === "manual" && (
            <RepeatBet amount={last === null ? null : formatWire(last.amount)} isOff={isLocked} onRepeat={onRepeat} />
          )}
        </div>
        <Field {...field} isQuiet>
          {(ids) => (
            <Input
              {...ids}
              value={value}
              min={min}
              placeholder="None"
              inputMode="decimal"
              autoComplete="off"
              enterKeyHint="go"
              readOnly={isLocked}
              className="font-semibold"
              onChange={(event) => onAutoChange(event.target.value)}
            />
          )}
        </Field>
        {children}
        <AutobetFields autobet={autobet} />
        <TurboSwitch />
      </BetOptions>
      <MainAction {...action} />
      <AutobetProgress autobet={autobet} />
      <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 text-14">
        <dt className="text-ink-3">Profit on win</dt>
        <dd className="text-right">{typeof profit === "number" ? <Amount cents={profit} signed /> : profit}</dd>
        {facts}
      </dl>
      <p className="text-13 text-ink-3 max-lg:hidden">{keys}</p>
    </BetForm>
  );
}
