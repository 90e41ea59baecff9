import { useCallback, useSyncExternalStore } from "react";

/** Below the width of a desktop, as in main.css. */
export const PHONE = "(max-width: 63.99rem)";

/** Whether a media query matches. */
export function useMatches(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
