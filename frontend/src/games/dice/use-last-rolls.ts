import { useMemo, useState } from "react";
import { useQuery } from "@/api/hooks";
import { isWin } from "@/games/rounds/game-rounds";
import type { RollState } from "./use-dice-bet";

export type PastRoll = { id: number; roll: number; isWin: boolean };

const SHOWN = 60;
/** The oldest roll that is shown is this opaque. */
const FAINTEST = 0.25;

/** The player's last rolls, newest first: from the history, plus those since. */
export function useLastRolls(state: RollState): PastRoll[] {
  const { data } = useQuery("/api/game-history", { params: { query: { gameType: "dice", limit: SHOWN } } });
  const [fresh, setFresh] = useState<PastRoll[]>([]);
  const newest = state.phase === "done" ? state.result : null;
  if (newest && fresh.every(({ id }) => id !== newest.roundId)) {
    const { roundId: id, diceResult: roll, isWin: hasWon } = newest;
    setFresh([{ id, roll, isWin: hasWon }, ...fresh].slice(0, SHOWN));
  }
  return useMemo(() => {
    const isFresh = new Set(fresh.map(({ id }) => id));
    const older = (data ?? []).flatMap((entry): PastRoll[] =>
      entry.diceResult == null || isFresh.has(entry.id)
        ? []
        : [{ id: entry.id, roll: entry.diceResult, isWin: isWin(entry) }],
    );
    return [...fresh, ...older].toSorted((one, other) => other.id - one.id).slice(0, SHOWN);
  }, [fresh, data]);
}

export type RollMark = PastRoll & {
  /** Rolls of one number stand on each other, the oldest at the bottom: from 0. */
  row: number;
  /** The newest is the strongest: from the faintest to 1. */
  opacity: number;
};

/** Where the marks of the last rolls, newest first, stand over the track; at most `rows` on each other. */
export function rollMarks(rolls: readonly PastRoll[], rows: number): RollMark[] {
  const heights = new Map<number, number>();
  const marks: RollMark[] = [];
  // Of one number the newest stay.
  const newest = new Map<number, number>();
  const kept = rolls.filter(({ roll }) => {
    const count = (newest.get(roll) ?? 0) + 1;
    newest.set(roll, count);
    return count <= rows;
  });
  for (const past of kept.toReversed()) {
    const row = heights.get(past.roll) ?? 0;
    heights.set(past.roll, row + 1);
    const age = rolls.indexOf(past) / Math.max(1, rolls.length - 1);
    marks.push({ ...past, row, opacity: 1 - age * (1 - FAINTEST) });
  }
  return marks;
}
