import { useCallback, useMemo, useState } from "react";
import { useQuery } from "@/api/hooks";
import type { GameHistoryEntry } from "@/api/types";

const SHOWN = 8;
export type RecentResult = { id: number; text: string; isWin: boolean };

/** "2.00×" of "win (2.00x)"; an outcome without a multiplier says what it was. */
export function resultOf({ id, outcome }: Pick<GameHistoryEntry, "id" | "outcome">): RecentResult {
  const multiplier = /\((\d+\.\d+)x\)/.exec(outcome)?.[1];
  const isWin = outcome.startsWith("win");
  return { id, text: multiplier === undefined ? (isWin ? "Win" : "Loss") : `${multiplier}×`, isWin };
}

/** The last results of a game, newest first: from the history, and those that came since. */
export function useRecentResults(gameType: "crash" | "stonks") {
  const { data } = useQuery("/api/game-history", { params: { query: { gameType, limit: SHOWN } } }, { revalidateOnMount: true });
  const [fresh, setFresh] = useState<RecentResult[]>([]);
  const add = useCallback((entry: Pick<GameHistoryEntry, "id" | "outcome">) => {
    setFresh((known) => [resultOf(entry), ...known.filter(({ id }) => id !== entry.id)].slice(0, SHOWN));
  }, []);
  const results = useMemo(() => {
    const isFresh = new Set(fresh.map(({ id }) => id));
    const older = (data ?? []).filter(({ id }) => !isFresh.has(id)).map(resultOf);
    return [...fresh, ...older].toSorted((one, other) => other.id - one.id).slice(0, SHOWN);
  }, [fresh, data]);
  return { results, add };
}
