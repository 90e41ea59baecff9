import type { Refusal } from "@/lib/bet-rules";
import { cn } from "@/lib/class-names";
import { useHotkeys } from "@/lib/hotkeys";
import { parseAmount, parseCents, wireAmount } from "@/lib/money";
import { Field, Input } from "./field";

type BetAmountFieldProps = {
  label?: string;
  hint?: string;
  value: string;
  onChange(value: string): void;
  balanceCents: number;
  maximumCents: number;
  minimumCents?: number;
  /** What every amount is a multiple of. */
  stepCents?: number;
  /** During a round the field is read-only but keeps the focus. */
  isLocked?: boolean;
  refusal: Refusal | null;
};

const STEP =
  "h-11 min-w-11 border-l border-control px-3.5 max-lg:px-2 text-14 font-semibold text-ink-2 enabled:hover:bg-raised enabled:hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:opacity-55 disabled:opacity-55";

/** The stake, with buttons that halve it, double it and set it to the maximum. */
export function BetAmountField({
  label = "Bet amount",
  hint,
  value,
  onChange,
  balanceCents,
  maximumCents,
  minimumCents = 1,
  stepCents = 1,
  isLocked = false,
  refusal,
}: BetAmountFieldProps) {
  const cents = parseCents(value) ?? 0;
  const largest = Math.min(balanceCents, maximumCents);
  const set = (next: number) => {
    const most = Math.min(next, largest);
    if (!isLocked) onChange(wireAmount(Math.max(minimumCents, most - (most % stepCents))));
  };
  const halve = () => set(Math.floor(cents / 2));
  const double = () => set(cents * 2);
  useHotkeys([
    { key: "a", label: "Halve the bet", run: halve },
    { key: "s", label: "Double the bet", run: double },
  ]);
  return (
    <Field label={label} hint={hint} isDocked error={errorOf(value, refusal)} isQuiet>
      {(ids) => (
        <div className="flex overflow-hidden rounded-control border border-control bg-well focus-within:border-brass has-[[aria-invalid]]:border-notice">
          <Input
            {...ids}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onBlur={() => !isLocked && parseCents(value) !== null && onChange(wireAmount(cents))}
            readOnly={isLocked}
            min={wireAmount(minimumCents)}
            {...(stepCents > 1 && { step: stepCents / 100 })}
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="go"
            className={cn("min-w-0 flex-1 rounded-none border-0 font-semibold focus-visible:outline-offset-[-2px]")}
          />
          <button
            type="button"
            className={STEP}
            aria-disabled={isLocked || undefined}
            onClick={halve}
            aria-label="½ the bet"
          >
            ½
          </button>
          <button
            type="button"
            className={STEP}
            aria-disabled={isLocked || undefined}
            onClick={double}
            aria-label="2× the bet"
          >
            2×
          </button>
          <button
            type="button"
            className={cn(STEP, "dock-max")}
            aria-disabled={isLocked || undefined}
            disabled={largest < minimumCents}
            onClick={() => set(largest)}
            aria-label="Max bet"
          >
            Max
          </button>
        </div>
      )}
    </Field>
  );
}

/** The refusal's text; if the amount is malformed, how to write it. */
function errorOf(value: string, refusal: Refusal | null): string | undefined {
  if (refusal === null) return undefined;
  const isUnreadable = value.trim() !== "" && parseAmount(value) === null;
  return isUnreadable
    ? `${refusal.description}. Enter dollars with a decimal point and at most two decimals, such as 1.50.`
    : refusal.description;
}
