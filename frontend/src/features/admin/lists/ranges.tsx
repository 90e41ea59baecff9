// Filters with two ends: days, and amounts. They are kept in the address as they were typed.

import { Field, Input } from "@/components";
import { parseCents, wireAmount } from "@/lib/money";
import { useAdminView, useSearch } from "./url-state";

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The instant at which a day of the reader begins, some days later; null if there is no such day. */
export function startOfDay(day: string, daysLater = 0): string | null {
  const [, year, month, date] = DAY.exec(day) ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const start = new Date(Number(year), Number(month) - 1, Number(date));
  // What does not exist, such as 31 February, is another day.
  if (start.getDate() !== Number(date) || start.getMonth() !== Number(month) - 1) return null;
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}

const ORDER = "The last day is before the first";

/** The first and the last day that a list shows, as the server knows them: the end is exclusive. */
export function dateQuery(from: string, to: string): { from?: string; to?: string; error?: string } {
  const begin = startOfDay(from);
  const end = startOfDay(to, 1);
  if (begin !== null && end !== null && begin >= end) return { error: ORDER };
  return { ...(begin === null ? {} : { from: begin }), ...(end === null ? {} : { to: end }) };
}

export function useDateRange() {
  const { valueOf, setFilters } = useAdminView();
  const from = valueOf("from");
  const to = valueOf("to");
  const { error, ...query } = dateQuery(from, to);
  return {
    from,
    to,
    error,
    /** What the request has. */
    query,
    inUse: Object.keys(query).length,
    set: (name: "from" | "to", day: string) => setFilters({ [name]: day }),
  };
}

export function DateRange({ label, range }: { label: string; range: ReturnType<typeof useDateRange> }) {
  const { from, to, error, set } = range;
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1">
      <legend className="sr-only">{label}</legend>
      <Field label={`${label} from`}>
        {(ids) => (
          <Input {...ids} type="date" value={from} max={to} onChange={(event) => set("from", event.target.value)} />
        )}
      </Field>
      <Field label={`${label} to`} error={error}>
        {(ids) => (
          <Input {...ids} type="date" value={to} min={from} onChange={(event) => set("to", event.target.value)} />
        )}
      </Field>
    </fieldset>
  );
}

const AMOUNT_INVALID = "Please enter an amount such as 25.00";
const TOO_SMALL = "The maximum is less than the minimum";

type AmountQuery = { minAmount?: string; maxAmount?: string; minError?: string; maxError?: string };

/** The bounds as the server knows them, and what is wrong with them. */
export function amountQuery(least: string, most: string): AmountQuery {
  const min = least === "" ? null : parseCents(least);
  const max = most === "" ? null : parseCents(most);
  const isReversed = min !== null && max !== null && max < min;
  return {
    ...(min === null ? {} : { minAmount: wireAmount(min) }),
    ...(max === null || isReversed ? {} : { maxAmount: wireAmount(max) }),
    ...(least !== "" && min === null ? { minError: AMOUNT_INVALID } : {}),
    ...(most !== "" && max === null ? { maxError: AMOUNT_INVALID } : isReversed ? { maxError: TOO_SMALL } : {}),
  };
}

export function useAmountRange() {
  const least = useSearch("minAmount");
  const most = useSearch("maxAmount");
  const { minError, maxError, ...query } = amountQuery(least.value, most.value);
  return { least, most, minError, maxError, query, inUse: Object.keys(query).length };
}

type AmountRangeProps = { range: ReturnType<typeof useAmountRange>; hint?: string | undefined };

export function AmountRange({ range, hint }: AmountRangeProps) {
  const { least, most, minError, maxError } = range;
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1">
      <legend className="sr-only">Amount</legend>
      {(
        [
          ["Minimum amount ($)", least, minError],
          ["Maximum amount ($)", most, maxError],
        ] as const
      ).map(([label, search, error]) => (
        <Field key={label} label={label} hint={hint} error={error}>
          {(ids) => (
            <Input
              {...ids}
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              value={search.text}
              onChange={(event) => search.setText(event.target.value)}
              className="sm:max-w-[150px]"
            />
          )}
        </Field>
      ))}
    </fieldset>
  );
}
