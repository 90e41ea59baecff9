import type { GameHistoryEntry } from "@/games/rounds/api";
import type { GameRounds } from "@/games/rounds/game-rounds";

/** "over 50", "50 or under". */
const sideText = ({ betType, targetNumber }: GameHistoryEntry): string =>
  betType === "under" ? `${targetNumber} or under` : `over ${targetNumber}`;

export const diceRounds: GameRounds = {
  gameType: "dice",
  typeLabel: "Dice",
  resultText: ({ diceResult }) => String(diceResult ?? "–"),
  detailText: (entry) => `Rolled ${entry.diceResult}, ${sideText(entry)}`,
  columns: {
    result: { name: "Roll", cell: ({ diceResult }) => diceResult },
    bet: "Bet",
    terms: { name: "Target", cell: sideText },
  },
};
