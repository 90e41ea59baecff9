// When the next reality check is due. The browser remembers the last one, so that a reload does not repeat it, and all
// tabs share it.

const KEY = "glasshouse-reality-check";
/** Two answers of the house can differ in what they tell of its clock, by a full second and by the time on the way. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The last check of the session that began at `since`; times are the house's, in milliseconds since 1970. */
type Last = { since: string; atMs: number };

/** Where the browser blocks storage, it lasts as long as the page. */
let unstored: string | null = null;
const listeners = new Set<() => void>();

function read(): string | null {
  try {
    return localStorage.getItem(KEY) ?? unstored;
  } catch {
    return unstored;
  }
}

function lastOf(since: string): Last | null {
  try {
    const stored: unknown = JSON.parse(read() ?? "null");
    if (typeof stored !== "object" || stored === null || !("since" in stored) || !("atMs" in stored)) return null;
    return stored.since === since && typeof stored.atMs === "number" ? { since, atMs: stored.atMs } : null;
  } catch {
    return null;
  }
}

type Session = {
  /** When the player signed in. */
  since: string;
  /** The interval; null if it is off. */
  realityCheckMinutes?: number | null;
};

/** When the next check is due by the house's clock; null if they are off. */
export function nextCheckAt({ since, realityCheckMinutes }: Session, nowMs: number): number | null {
  if (realityCheckMinutes == null) return null;
  const last = lastOf(since);
  // A time to come was not stored by us.
  const from = last !== null && last.atMs <= nowMs + CLOCK_TOLERANCE_MS ? last.atMs : Date.parse(since);
  return from + realityCheckMinutes * 60_000;
}

/** The interval counts from now on, in every tab. */
export function restartInterval(since: string, nowMs: number): void {
  unstored = JSON.stringify({ since, atMs: nowMs } satisfies Last);
  try {
    localStorage.setItem(KEY, unstored);
  } catch {
    // It is remembered by this page.
  }
  for (const listener of listeners) listener();
}

/** Calls back when the interval was restarted in any tab. */
export function onIntervalRestarted(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => key === KEY && listener();
  window.addEventListener("storage", onStorage);
  listeners.add(listener);
  return () => {
    window.removeEventListener("storage", onStorage);
    listeners.delete(listener);
  };
}
