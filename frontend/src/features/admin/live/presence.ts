// Whether somebody is at the page.

import { useSyncExternalStore } from "react";

/** Without any input for this long, nobody is taken to be there. */
export const ABSENT_AFTER_MS = 10 * 60_000;
const INPUTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;
/** The pointer moves often; the timer is set again at most this often. */
const THROTTLE_MS = 1000;

let isPresent = true;
let lastInputMs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (isPresent === next) return;
  isPresent = next;
  for (const listener of listeners) listener();
}

function restart(): void {
  lastInputMs = Date.now();
  clearTimeout(timer);
  timer = setTimeout(() => set(false), ABSENT_AFTER_MS);
  set(true);
}

function onInput(): void {
  if (isPresent && Date.now() - lastInputMs < THROTTLE_MS) return;
  restart();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    for (const input of INPUTS) window.addEventListener(input, onInput, { passive: true, capture: true });
    restart();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    for (const input of INPUTS) window.removeEventListener(input, onInput, { capture: true });
    clearTimeout(timer);
  };
}

/** False once there has been no input for ten minutes, until there is some again. */
export const useIsPresent = (): boolean => useSyncExternalStore(subscribe, () => isPresent);
