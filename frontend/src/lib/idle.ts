import { useEffect, useState } from "react";

/** What can wait until the page is shown starts soon after it all the same. */
const LATEST_START_MS = 2000;
/** Browsers without idle callbacks. */
const START_MS = 200;

/** Runs when the browser has nothing more urgent to do; returns how to call it off. */
export function whenIdle(action: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(action, { timeout: LATEST_START_MS });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(action, START_MS);
  return () => clearTimeout(timer);
}

/** Whether the browser had nothing more urgent to do since the component was mounted. */
export function useWasIdle(): boolean {
  const [wasIdle, setWasIdle] = useState(false);
  useEffect(() => whenIdle(() => setWasIdle(true)), []);
  return wasIdle;
}
