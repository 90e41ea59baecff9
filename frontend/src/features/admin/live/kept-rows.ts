// How many rows of a list were loaded, kept for a reload of the page, so that it shows as many again.

/** The most that the server gives in one page. */
export const MOST_ROWS = 200;
const PREFIX = "glasshouse-admin-rows:";

/** The size of a list's first page: the same one until the page is reloaded, so that the following pages fit. */
const firstPages = new Map<string, number>();

function stored(list: string): number {
  try {
    const count = Number(sessionStorage.getItem(PREFIX + list));
    return Number.isSafeInteger(count) ? count : 0;
  } catch {
    return 0;
  }
}

/** The rows to ask for first. */
export function firstPageOf(list: string, pageSize: number): number {
  const known = firstPages.get(list);
  if (known !== undefined) return known;
  const rows = Math.min(MOST_ROWS, Math.max(pageSize, Math.ceil(stored(list) / pageSize) * pageSize));
  firstPages.set(list, rows);
  return rows;
}

/** Keeps how many rows are shown. */
export function keepRows(list: string, count: number): void {
  try {
    sessionStorage.setItem(PREFIX + list, String(count));
  } catch {
    // Without storage, a reload shows the first rows.
  }
}
