import { useSyncExternalStore } from "react";

/** From here on a cash-out by hand is noticeably late. */
const SLOW_MS = 250;

let latencyMs: number | null = null;
const listeners = new Set<() => void>();

/** Makes a call and notes how long its answer took: there, through the house, and back. */
export async function timed<T>(call: () => Promise<T>): Promise<T> {
  const sentAt = performance.now();
  const answer = await call();
  latencyMs = Math.round(performance.now() - sentAt);
  for (const listener of listeners) listener();
  return answer;
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** How long the last call took; null before the first. */
export function useLineLatency(): { ms: number; isSlow: boolean } | null {
  const ms = useSyncExternalStore(subscribe, () => latencyMs);
  return ms === null ? null : { ms, isSlow: ms >= SLOW_MS };
}
