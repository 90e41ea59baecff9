import { Amount, BetAmountField, BetForm, DockAmount, Field, Input } from "@/components";
import { MainAction } from "@/games/timed";
import type { BetPanelProps } from "@/games/timed/timed-game-spec";
import { isByHand, profitCents, type StonksForm, type StonksRefusals } from "./rules";

/** Amount, auto-sell amount, and the main button. */
export function StonksBetPanel({
  form,
  limits,
  refusals,
  isLocked,
  action,
  onChange,
  onPlay,
  onSubmit,
}: BetPanelProps<StonksForm, StonksRefusals>) {
  const profit = profitCents(form);
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
        label="Auto-Sell profit target ($)"
        hint="Sells at this value; leave empty for none."
        error={refusals.target?.description}
        isQuiet
      >
        {(ids) => (
          <Input
            {...ids}
            value={form.target}
            min={0.01}
            placeholder="None"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="go"
            readOnly={isLocked}
            className="font-semibold"
            onChange={(event) => onChange({ ...form, target: event.target.value })}
          />
        )}
      </Field>
      <MainAction {...action} />
      <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 text-14">
        <dt className="text-ink-3">Profit on win</dt>
        <dd className="text-right">
          {profit !== null ? <Amount cents={profit} signed /> : isByHand(form) ? "your choice" : "–"}
        </dd>
        <dt className="text-ink-3">A new price</dt>
        <dd className="text-right">every 0.5 s</dd>
        <dt className="text-ink-3">Market closes</dt>
        <dd className="text-right">after 240 prices</dd>
      </dl>
      <p className="text-13 text-ink-3 max-lg:hidden">
        Enter in a field starts trading. While trading, the key C sells.
      </p>
    </BetForm>
  );
}
