import { useCallback, useMemo, useState } from "react";
import { useQuery } from "@/api/hooks";
import type { GameHistoryEntry } from "./api";
import { type GameRounds, isRoundOf, isWin } from "./game-rounds";

const REQUESTED = 8;
/** Games that share a name need more entries to find enough of one game. */
const MAX_REQUESTED = 100;
const CHIPS = 8;
/** Rounds of this page view are kept up to this many. */
export const MAX_RECENT = 200;

/** The player's latest rounds of a game, newest first: from the history, plus those that ended since. */
export function useOwnRounds(game: GameRounds) {
  const { gameType } = game;
  const limit = game.variant === undefined ? REQUESTED : MAX_REQUESTED;
  const { data, error, mutate } = useQuery("/api/game-history", { params: { query: { gameType, limit } } });
  const [fresh, setFresh] = useState<GameHistoryEntry[]>([]);
  const add = useCallback((entry: GameHistoryEntry) => {
    setFresh((known) => [entry, ...known.filter(({ id }) => id !== entry.id)].slice(0, MAX_RECENT));
  }, []);
  const rounds = useMemo(() => {
    const isFresh = new Set(fresh.map(({ id }) => id));
    const older = (data ?? []).filter((entry) => isRoundOf(game, entry) && !isFresh.has(entry.id)).slice(0, REQUESTED);
    return [...fresh, ...older].toSorted((one, other) => other.id - one.id).slice(0, MAX_RECENT);
  }, [fresh, data, game]);
  const chips = useMemo(
    () => rounds.slice(0, CHIPS).map((entry) => ({ id: entry.id, text: game.resultText(entry), isWin: isWin(entry) })),
    [rounds, game],
  );
  return { rounds, chips, add, error: error as unknown, reload: mutate };
}
