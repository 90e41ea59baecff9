import { type GameRounds, PAID_COLUMN, times } from "@/games/rounds/game-rounds";

export const stonksRounds: GameRounds = {
  gameType: "stonks",
  typeLabel: "Stonks",
  resultText: ({ cashoutMultiplier }) => times(cashoutMultiplier ?? 0, 3),
  detailText: ({ cashoutMultiplier }) =>
    cashoutMultiplier == null ? "Crashed to zero" : `Sold at ${times(cashoutMultiplier, 3)}`,
  columns: {
    result: {
      name: "Sold at",
      cell: ({ cashoutMultiplier }) => (cashoutMultiplier == null ? "Crashed" : times(cashoutMultiplier, 3)),
    },
    bet: "Bet",
    terms: PAID_COLUMN,
  },
};
