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

/** "97.29843375" → "97.3%". */
export const formatExactPercent = (exact: string): string => `${Number(exact).toFixed(1)}%`;

/** 0.495 → "49.5%". */
export const formatPercent = (share: number): string => `${(share * 100).toFixed(1)}%`;

/** "1 win", "1,234 losses". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
