import { useMatches } from "./media";
import { markedSwitch, useRemembered } from "./remembered";

const QUERY = "(prefers-reduced-motion: reduce)";

/** Whether this browser reduces motion whatever the system says. */
export const reducesMotion = markedSwitch("glasshouse-reduced-motion", "data-reduced-motion");

/** Whether the user prefers reduced motion. */
export const isMotionReduced = (): boolean => reducesMotion.current() || window.matchMedia(QUERY).matches;

/** Whether the user prefers reduced motion, for components. */
export function useReducedMotion(): boolean {
  const isSystemReduced = useMatches(QUERY);
  return useRemembered(reducesMotion) || isSystemReduced;
}
