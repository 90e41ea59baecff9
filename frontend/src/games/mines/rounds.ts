import type { GameHistoryEntry } from "@/games/rounds/api";
import { type GameRounds, isWin } from "@/games/rounds/game-rounds";
import { shownMultiplier } from "./multiplier";

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** "2.47×", or that a mine was hit. */
function resultOf(entry: GameHistoryEntry): string {
  const { mines, revealedCells } = entry;
  return isWin(entry) && mines != null && revealedCells != null ? shownMultiplier(mines, revealedCells) : "Mine";
}

export const minesRounds: GameRounds = {
  gameType: "mines",
  typeLabel: "Mines",
  resultText: resultOf,
  detailText(entry) {
    const { mines, revealedCells } = entry;
    return `${counted(mines ?? 0, "mine")}, ${counted(revealedCells ?? 0, "cell")} revealed`;
  },
  columns: {
    result: { name: "Result", cell: resultOf },
    bet: "Bet",
    terms: { name: "Mines", cell: (entry) => entry.mines ?? "–" },
  },
};
