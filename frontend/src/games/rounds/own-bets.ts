// The player's own rounds of a game: those that ended while the page was open, and pages of the history.

import type { GameHistoryEntry } from "./api";
import { MAX_RECENT } from "./use-own-rounds";

export type OwnBets = {
  rounds: readonly GameHistoryEntry[];
  /** Whether rounds are missing between the recent ones and the pages, so that the pages must be loaded again. */
  hasGap: boolean;
};

/**
 * Joins the latest rounds with the pages of the history, newest first. If there were so many that some were dropped,
 * and the pages were loaded before, nothing is shown past the gap.
 */
export function joinedBets(recent: readonly GameHistoryEntry[], paged: readonly GameHistoryEntry[]): OwnBets {
  const isRecent = new Set(recent.map(({ id }) => id));
  const older = paged.filter(({ id }) => !isRecent.has(id));
  const hasGap = recent.length >= MAX_RECENT && paged.length > 0 && older.length === paged.length;
  const rounds = hasGap ? recent : [...recent, ...older].toSorted((one, other) => other.id - one.id);
  return { rounds, hasGap };
}
