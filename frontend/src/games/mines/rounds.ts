import type { GameHistoryEntry } from "@/games/rounds/api";
import { type GameRounds, isWin } from "@/games/rounds/game-rounds";
import { MINES_TYPE, minesRecordOf } from "./api";
import { shownMultiplier } from "./multiplier";

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** "2.47×"; of a round that hit a mine, that it did. */
function resultOf(entry: GameHistoryEntry): string {
  const { mines, revealedCells } = minesRecordOf(entry);
  return isWin(entry) && mines != null && revealedCells != null ? shownMultiplier(mines, revealedCells) : "Mine";
}

export const minesRounds: GameRounds = {
  gameType: MINES_TYPE,
  typeLabel: "Mines",
  resultText: resultOf,
  detailText(entry) {
    const { mines, revealedCells } = minesRecordOf(entry);
    return `${counted(mines ?? 0, "mine")}, ${counted(revealedCells ?? 0, "cell")} revealed`;
  },
  columns: {
    result: { name: "Result", cell: resultOf },
    bet: "Bet",
    terms: { name: "Mines", cell: (entry) => minesRecordOf(entry).mines ?? "–" },
  },
};
