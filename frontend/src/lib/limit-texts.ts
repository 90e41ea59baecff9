// What a player's limits and exclusions are called, and their values as text.

import { formatWire } from "./money";

/** The server's names; `tsc` compares them with its types where they are used. */
export type LimitKind = "deposit" | "loss" | "stake" | "session_time";
export type LimitPeriod = "day" | "week" | "month";
export type ExclusionDuration = "day" | "week" | "month" | "six_months" | "year" | "five_years" | "permanent";

/** The section of the settings that limits and exclusions are in. */
export const LIMITS_ADDRESS = "/settings?tab=limits";

export const LIMIT_KINDS = ["deposit", "loss", "stake", "session_time"] as const satisfies readonly LimitKind[];
export const LIMIT_PERIODS = ["day", "week", "month"] as const satisfies readonly LimitPeriod[];

/** "Deposit limit". */
export const KIND_NAMES: Readonly<Record<LimitKind, string>> = {
  deposit: "Deposit limit",
  loss: "Loss limit",
  stake: "Stake limit",
  session_time: "Session time limit",
};

/** "a day". */
export const PER_PERIOD: Readonly<Record<LimitPeriod, string>> = {
  day: "a day",
  week: "a week",
  month: "a month",
};

/** "deposit limit a day". */
export const limitName = (kind: LimitKind, period: LimitPeriod): string =>
  `${KIND_NAMES[kind].toLowerCase()} ${PER_PERIOD[period]}`;

/** "1 h 30 min", "45 min", "2 h". */
export function minutesText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** A limit, or what is used of it, as the server sends it: dollars or whole minutes. */
export const limitValueText = (kind: LimitKind, value: string): string =>
  kind === "session_time" ? minutesText(Number(value)) : formatWire(value);

/** From this year on an exclusion never ends. */
const PERMANENT_YEAR = 9998;

export const isPermanent = (until: string): boolean => new Date(until).getUTCFullYear() >= PERMANENT_YEAR;

const LOCAL = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "short" });

/** "Thursday, November 26, 2026 at 1:00 AM", by this device's clock. Parts of a minute count as a whole one. */
export const localTimeText = (iso: string): string => LOCAL.format(Math.ceil(Date.parse(iso) / 60_000) * 60_000);
