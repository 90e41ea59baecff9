// Days in UTC, as the figures have them.

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** The most days that are shown at once. */
export const MOST_DAYS = 366;

/** The day in UTC. */
export const utcDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** The start of a day in milliseconds; null if there is no such day. */
function startOf(day: string): number | null {
  const atMs = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // What does not exist, such as 31 February, is another day.
  return Number.isNaN(atMs) || utcDay(atMs) !== day ? null : atMs;
}

/** What is wrong with a period; undefined if nothing is. */
export function periodError(from: string, to: string): string | undefined {
  const [first, last] = [startOf(from), startOf(to)];
  if (first === null || last === null) return "Please choose the first and the last day";
  if (last < first) return "The last day is before the first";
  return (last - first) / DAY_MS >= MOST_DAYS ? `Please choose at most ${MOST_DAYS} days` : undefined;
}
