import type { OpenRounds } from "@/games/rounds/api";

/** The rounds in play: none except the given ones. */
export const openRounds = (change: Partial<OpenRounds> = {}): OpenRounds => ({
  serverTimeMs: 1,
  crash: null,
  stonks: null,
  poker: null,
  headsUp: null,
  mines: null,
  ...change,
});
