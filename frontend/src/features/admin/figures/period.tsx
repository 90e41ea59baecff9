// The days that the figures are about, kept in the address.

import { Field, Input } from "@/components";
import { Filter } from "../lists/list-bar";
import { useAdminView, useChoice } from "../lists/url-state";
import type { DaysQuery } from "./api";
import { periodError, utcDay } from "./days";

const SPANS = [
  { value: "30", label: "Last 30 days" },
  { value: "1", label: "Today" },
  { value: "7", label: "Last 7 days" },
  { value: "90", label: "Last 90 days" },
  { value: "custom", label: "Other days" },
] as const;

const WEEK_MS = 6 * 86_400_000;

export function usePeriod() {
  const { valueOf, setFilters } = useAdminView();
  const span = useChoice("span", SPANS);
  const [from, to] = [valueOf("from"), valueOf("to")];
  const isCustom = span.value === "custom";
  const error = isCustom ? periodError(from, to) : undefined;
  const query: DaysQuery = isCustom ? { from, to } : { days: Number(span.value) };
  return {
    span: span.value,
    from,
    to,
    error,
    /** Null while the days that were chosen are none. */
    query: error === undefined ? query : null,
    choose(next: (typeof SPANS)[number]["value"]) {
      if (next !== "custom") setFilters({ span: next === "30" ? "" : next, from: "", to: "" });
      else setFilters({ span: next, from: utcDay(Date.now() - WEEK_MS), to: utcDay(Date.now()) });
    },
    set: (name: "from" | "to", day: string) => setFilters({ [name]: day }),
  };
}

export type Period = ReturnType<typeof usePeriod>;

export const SpanFilter = ({ period }: { period: Period }) => (
  <Filter label="Days" value={period.span} onChoose={period.choose} options={SPANS} />
);

/** The first and the last day, if others than the usual ones were chosen. */
export function CustomDays({ period }: { period: Period }) {
  const { span, from, to, error, set } = period;
  if (span !== "custom") return null;
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1">
      <legend className="sr-only">Other days, in UTC</legend>
      <Field label="First day (UTC)">
        {(ids) => <Input {...ids} type="date" value={from} onChange={(event) => set("from", event.target.value)} />}
      </Field>
      <Field label="Last day (UTC)" error={error}>
        {(ids) => <Input {...ids} type="date" value={to} onChange={(event) => set("to", event.target.value)} />}
      </Field>
    </fieldset>
  );
}
