// Positions in a plot. Money stays in whole cents; only positions are fractions.

import { centsOf } from "@/lib/money";
import type { Scale } from "@/lib/plot-scale";
import type { HouseDay } from "../api/admin";

const STEPS = [1, 2, 5, 10];

/** About `wanted` round steps that cover both values and 0. */
export function scaleAround(lowest: number, highest: number, wanted = 4): Scale {
  const [from, to] = [Math.min(lowest, 0), Math.max(highest, 0)];
  const rough = Math.max((to - from) / wanted, 1);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = magnitude * (STEPS.find((candidate) => candidate * magnitude >= rough) ?? 10);
  const [first, last] = [Math.floor(from / step), Math.max(Math.ceil(to / step), Math.floor(from / step) + 1)];
  const ticks = Array.from({ length: last - first + 1 }, (_, position) => (first + position) * step);
  return { minimum: first * step, maximum: last * step, ticks };
}

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
