// The days of the house report.

import { centsOf } from "@/lib/money";
import type { HouseDay } from "../api/admin";

export type DayBar = {
  day: string;
  profitCents: number;
  sumCents: number;
  stakedCents: number;
  paidCents: number;
  rounds: number;
};

const DAY_MS = 86_400_000;
const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

/** One bar per day from the first to the last, with the running total; days without rounds are 0. */
export function dayBars(days: readonly HouseDay[]): DayBar[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const ordered = [...known.keys()].toSorted();
  const [first, last] = [ordered.at(0), ordered.at(-1)];
  const bars: DayBar[] = [];
  if (first === undefined || last === undefined) return bars;
  let sumCents = 0;
  for (let day = first; day <= last; day = dayAfter(day)) {
    const found = known.get(day);
    const profitCents = found ? centsOf(found.profit) : 0;
    sumCents += profitCents;
    bars.push({
      day,
      profitCents,
      sumCents,
      stakedCents: found ? centsOf(found.staked) : 0,
      paidCents: found ? centsOf(found.paid) : 0,
      rounds: found?.rounds ?? 0,
    });
  }
  return bars;
}
