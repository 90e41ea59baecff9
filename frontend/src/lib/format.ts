const DATE_TIME = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });
const SHORT_DATE_TIME = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});
const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "long" });

export const formatDateTime = (iso: string): string => DATE_TIME.format(new Date(iso));
/** "Nov 21, 10:04 PM", for narrow places. */
export const formatShortDateTime = (iso: string): string => SHORT_DATE_TIME.format(new Date(iso));
export const formatDate = (iso: string): string => DATE.format(new Date(iso));

const ZONED = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "shortOffset",
});
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

const inUtc = (text: string): string => text.replace(/GMT(\+0$)?/, "UTC");

/** "26 Nov 2026, 12:03:05 UTC+1": the exact time, with the zone that it is in. */
export const formatZoned = (iso: string): string => inUtc(ZONED.format(new Date(iso)));
/** "12:03:05" */
export const formatClock = (atMs: number): string => CLOCK.format(atMs);

/** "UTC+1": the zone in which times are shown. It changes with summer time. */
export function zoneAt(atMs: number): string {
  const zone = ZONED.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "UTC";
  return inUtc(zone);
}

/** "97.29843375" → "97.3%". */
export const formatExactPercent = (exact: string): string => `${Number(exact).toFixed(1)}%`;

/** 0.495 → "49.5%". */
export const formatPercent = (share: number): string => `${(share * 100).toFixed(1)}%`;

/** "1 win", "1,234 losses". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
