import { type GameRounds, PAID_COLUMN } from "@/games/rounds/game-rounds";

export const videoPokerRounds: GameRounds = {
  gameType: "poker",
  typeLabel: "Poker",
  variant: "videoPoker",
  resultText: ({ handRank }) => handRank ?? "No win",
  detailText: () => "Jacks or Better",
  columns: { result: { name: "Hand", cell: ({ handRank }) => handRank ?? "No win" }, bet: "Bet", terms: PAID_COLUMN },
  title: "Your last hands",
};
