import { useCallback, useMemo, useState } from "react";
import { useQuery } from "@/api/hooks";
import type { GameHistoryEntry } from "@/api/types";
import { gameTypeOf, isOf, isWin, type OwnGame, resultText } from "@/lib/own-rounds";

const SHOWN = 8;
/** Both poker games come under one name, so that more must be asked for to find enough of one. */
const MOST_ASKED_FOR = 100;

/** The player's last rounds of a game, newest first: from the history, and those that ended since. */
export function useOwnRounds(game: OwnGame) {
  const gameType = gameTypeOf(game);
  const limit = gameType === "poker" ? MOST_ASKED_FOR : SHOWN;
  const { data } = useQuery("/api/game-history", { params: { query: { gameType, limit } } }, { revalidateOnMount: true });
  const [fresh, setFresh] = useState<GameHistoryEntry[]>([]);
  const add = useCallback((entry: GameHistoryEntry) => {
    setFresh((known) => [entry, ...known.filter(({ id }) => id !== entry.id)].slice(0, SHOWN));
  }, []);
  const rounds = useMemo(() => {
    const isFresh = new Set(fresh.map(({ id }) => id));
    const older = (data ?? []).filter((entry) => isOf(game, entry) && !isFresh.has(entry.id));
    return [...fresh, ...older].toSorted((one, other) => other.id - one.id).slice(0, SHOWN);
  }, [fresh, data, game]);
  const chips = useMemo(() => rounds.map((entry) => ({ id: entry.id, text: resultText(entry), isWin: isWin(entry) })), [rounds]);
  return { rounds, chips, add };
}
