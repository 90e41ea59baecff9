// Positions in a plot. Money stays in whole cents; only positions are fractions.

import { centsOf } from "@/lib/money";
import type { HouseDay, HouseGame } from "../api/admin";

export type Scale = { minimum: number; maximum: number; ticks: number[] };

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

/** The position of a value on a scale, from 0 to 1. */
export const positionOf = (value: number, { minimum, maximum }: Pick<Scale, "minimum" | "maximum">): number =>
  (value - minimum) / (maximum - minimum);

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

/** Returns are plotted within these percentages, so that a few outliers do not flatten the others. */
const RETURN_BOUNDS = { minimum: 70, maximum: 130 };

/** A scale in whole percent that shows every interval, within the bounds. */
export function returnScale(games: readonly HouseGame[]): Scale {
  const values = games
    .flatMap((game) => [game.exactRtpPercent, game.measuredRtpPercent, game.lowPercent, game.highPercent])
    .filter((value) => value !== null);
  const within = values.map((value) => Math.min(Math.max(Number(value), RETURN_BOUNDS.minimum), RETURN_BOUNDS.maximum));
  const [lowest, highest] = [Math.min(...within, 95), Math.max(...within, 101)];
  const step = [1, 2, 5, 10].find((candidate) => (highest - lowest) / candidate <= 7) ?? 10;
  const [first, last] = [Math.floor(lowest / step), Math.ceil(highest / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, position) => (first + position) * step);
  return { minimum: first * step, maximum: last * step, ticks };
}

const IN_A_MILLION = 1e-6;
/** A probability in words: `1 time in 22`. */
export function chanceText(probability: number): string {
  if (probability < IN_A_MILLION) return "less than 1 time in 1,000,000";
  const percent = Math.round(probability * 100);
  return probability > 0.1
    ? `${percent} times in 100`
    : `1 time in ${Math.round(1 / probability).toLocaleString("en-US")}`;
}

export type ReturnVerdict = "none" | "within" | "above" | "below";

/** Where the measured return lies relative to the exact one. */
export function verdictOf({ exactRtpPercent, lowPercent, highPercent }: HouseGame): ReturnVerdict {
  if (lowPercent === null || highPercent === null) return "none";
  if (Number(lowPercent) > Number(exactRtpPercent)) return "above";
  return Number(highPercent) < Number(exactRtpPercent) ? "below" : "within";
}
