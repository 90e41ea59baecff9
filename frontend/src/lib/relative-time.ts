const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const RELATIVE = new Intl.RelativeTimeFormat("en-US", { numeric: "always" });

/**
 * "3 days ago": the largest unit of which at least one has passed. Because clocks differ, future times count as now.
 */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1000);
  const found = UNITS.find(([, length]) => seconds >= length);
  if (!found) return "just now";
  const [unit, length] = found;
  return RELATIVE.format(-Math.trunc(seconds / length), unit);
}
