import { useEffect, useMemo } from "react";
import useSWR from "swr";
import type { GameDefinition } from "@/games/definition";
import type { GameHistoryEntry } from "@/games/rounds/api";
import { isRoundOf } from "@/games/rounds/game-rounds";
import { fetchHistoryPage } from "@/games/rounds/history-pages";

/** The player's last round of each game, by the game's ID; games without one are missing. */
export type LastRounds = ReadonlyMap<string, GameHistoryEntry>;

/** The first entry of each game; the entries are newest first. */
export function lastRoundsIn(games: readonly GameDefinition[], entries: readonly GameHistoryEntry[]): LastRounds {
  const found = games.flatMap(({ id, rounds }) => {
    const entry = entries.find((candidate) => isRoundOf(rounds, candidate));
    return entry ? [[id, entry] as const] : [];
  });
  return new Map(found);
}

/**
 * Most players' last rounds are all on the first page of the history. Of the games that are not, the latest page of
 * their own is requested.
 */
async function fetchLatest(games: readonly GameDefinition[]): Promise<readonly GameHistoryEntry[]> {
  const { entries, next } = await fetchHistoryPage({}, null);
  const known = lastRoundsIn(games, entries);
  const missing = games.filter(({ id }) => !known.has(id));
  if (next === null || missing.length === 0) return entries;
  const types = [...new Set(missing.map(({ rounds }) => rounds.gameType))];
  const pages = await Promise.all(types.map((gameType) => fetchHistoryPage({ gameType }, null)));
  return [...entries, ...pages.flatMap((page) => page.entries)];
}

/** Loads the last rounds of these games, and again after another round has ended; undefined while loading. */
export function useLastRounds(games: readonly GameDefinition[], endedRoundId: number | null) {
  // SWR compares what it has with what it gets, and takes any two maps for equal: it gets the entries.
  const { data, error, mutate } = useSWR(["last-rounds", ...games.map(({ id }) => id)], () => fetchLatest(games));
  useEffect(() => {
    if (endedRoundId !== null) void mutate();
  }, [endedRoundId, mutate]);
  const lastRounds = useMemo(() => data && lastRoundsIn(games, data), [games, data]);
  return { lastRounds, hasFailed: error !== undefined, reload: () => void mutate() };
}
