import { parseCents, wireAmount } from "@/lib/money";
import { Field, Input } from "./field";

type BetAmountFieldProps = {
  value: string;
  onChange(value: string): void;
  balanceCents: number;
  maximumCents: number;
  minimumCents?: number;
  disabled?: boolean;
  error?: string | undefined;
};

const STEP = "h-11 border-l border-control px-3.5 text-14 font-semibold text-ink-2 enabled:hover:bg-raised enabled:hover:text-ink disabled:opacity-55";

/** The amount of a bet, with buttons that halve it, double it and make it as large as can be. */
export function BetAmountField({ value, onChange, balanceCents, maximumCents, minimumCents = 1, disabled, error }: BetAmountFieldProps) {
  const cents = parseCents(value) ?? 0;
  const largest = Math.min(balanceCents, maximumCents);
  const set = (next: number) => onChange(wireAmount(Math.max(minimumCents, Math.min(next, maximumCents))));
  return (
    <Field label="Bet amount" error={error}>
      {(ids) => (
        <div className="flex overflow-hidden rounded-control border border-control bg-well focus-within:border-brass">
          <Input
            {...ids}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onBlur={() => parseCents(value) !== null && onChange(wireAmount(cents))}
            disabled={disabled}
            min={wireAmount(minimumCents)}
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="go"
            className="min-w-0 flex-1 rounded-none border-0 font-semibold focus-visible:outline-offset-[-2px]"
          />
          <button type="button" className={STEP} disabled={disabled} onClick={() => set(Math.floor(cents / 2))} aria-label="Halve the bet">
            ½
          </button>
          <button type="button" className={STEP} disabled={disabled} onClick={() => set(cents * 2)} aria-label="Double the bet">
            2×
          </button>
          <button type="button" className={STEP} disabled={disabled || largest < minimumCents} onClick={() => set(largest)} aria-label="Bet the maximum">
            Max
          </button>
        </div>
      )}
    </Field>
  );
}
