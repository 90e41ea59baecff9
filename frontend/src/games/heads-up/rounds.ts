import type { GameRounds } from "@/games/rounds/game-rounds";
import { centsOf, formatChange } from "@/lib/money";

const RESULTS: Readonly<Record<string, string>> = { win: "Won", loss: "Lost", push: "Push", fold: "Folded" };

export const headsUpRounds: GameRounds = {
  gameType: "poker",
  typeLabel: "Poker",
  variant: "headsUp",
  resultText: ({ profit }) => formatChange(centsOf(profit)),
  detailText: ({ action }) => `Heads-up, ${action ?? "dealt"}`,
  columns: {
    result: { name: "Result", cell: ({ outcome }) => RESULTS[outcome.split(" ", 1)[0] ?? ""] ?? outcome },
    bet: "Staked",
    terms: {
      name: "Your move",
      cell: ({ action }) => (action == null ? "–" : `${action.charAt(0).toUpperCase()}${action.slice(1)}`),
    },
  },
  title: "Your last heads-up hands",
};
