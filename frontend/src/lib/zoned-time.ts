// Exact times with the zone that they are in.

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
