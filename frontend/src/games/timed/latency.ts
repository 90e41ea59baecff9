import { useSyncExternalStore } from "react";

/** Above this, a manual cash-out is noticeably late. */
const SLOW_MS = 250;

let latencyMs: number | null = null;
const listeners = new Set<() => void>();

/** Makes a request and records its round-trip time. */
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

/** The duration of the last request; null before the first. */
export function useLatency(): { ms: number; isSlow: boolean } | null {
  const ms = useSyncExternalStore(subscribe, () => latencyMs);
  return ms === null ? null : { ms, isSlow: ms >= SLOW_MS };
}
