import { useMatches } from "./media";

export const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

/** Whether the user prefers reduced motion. */
export const useReducedMotion = (): boolean => useMatches(REDUCED_MOTION);
