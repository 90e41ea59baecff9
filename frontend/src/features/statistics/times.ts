import type { ProfitRange } from "./api";
import { bucketMs } from "./profit-points";

const HOUR = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});
const DAY = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric", timeZone: "UTC" });

/** "Nov 22, 10:00" for an hour, "Nov 22, 2026" for a day, in UTC. */
export function bucketLabel(startMs: number, range: ProfitRange): string {
  return (bucketMs(range) === bucketMs("day") ? HOUR : DAY).format(startMs);
}

/** "Nov 22, 2026" for a date such as "2026-11-22". */
export const dateLabel = (date: string): string => DAY.format(Date.parse(`${date}T00:00:00Z`));

/** The date of a time in UTC, such as "2026-11-22". */
export const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
