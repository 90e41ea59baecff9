// How long an exclusion can last. The server decides when it ends; what is shown beforehand is by the same calendar.

import { type ExclusionDuration, isPermanent } from "@/lib/limit-texts";
import type { Exclusion, ExclusionRequest } from "./api";

type Duration = {
  value: ExclusionDuration;
  kind: ExclusionRequest["kind"];
  label: string;
  /** What the confirming button says after "Exclude me". */
  phrase: string;
  /** Null if it never ends. */
  end: ((from: Date) => Date) | null;
};

const hoursLater = (hours: number) => (from: Date) => new Date(from.getTime() + hours * 3_600_000);

/** The same day of a later month, or that month's last day, in UTC. */
const monthsLater = (months: number) => (from: Date) => {
  const end = new Date(from);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const days = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(from.getUTCDate(), days));
  return end;
};

export const DURATIONS: readonly Duration[] = [
  { value: "day", kind: "cool_off", label: "Cool-off: 24 hours", phrase: "for 24 hours", end: hoursLater(24) },
  { value: "week", kind: "cool_off", label: "Cool-off: a week", phrase: "for a week", end: hoursLater(168) },
  { value: "month", kind: "cool_off", label: "Cool-off: a month", phrase: "for a month", end: monthsLater(1) },
  {
    value: "six_months",
    kind: "self_exclusion",
    label: "Self-exclusion: six months",
    phrase: "for six months",
    end: monthsLater(6),
  },
  {
    value: "year",
    kind: "self_exclusion",
    label: "Self-exclusion: a year",
    phrase: "for a year",
    end: monthsLater(12),
  },
  {
    value: "five_years",
    kind: "self_exclusion",
    label: "Self-exclusion: five years",
    phrase: "for five years",
    end: monthsLater(60),
  },
  {
    value: "permanent",
    kind: "self_exclusion",
    label: "Self-exclusion: permanently",
    phrase: "permanently",
    end: null,
  },
];

/** The durations that end later than the exclusion in force: only these are accepted. */
export function offeredDurations(current: Exclusion | null | undefined, now: Date): readonly Duration[] {
  if (!current) return DURATIONS;
  if (isPermanent(current.until)) return [];
  const until = Date.parse(current.until);
  return DURATIONS.filter(({ end }) => end === null || end(now).getTime() > until);
}
