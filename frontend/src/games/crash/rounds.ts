import { type GameRounds, times } from "@/games/rounds/game-rounds";
import { lazyPart } from "@/lib/lazy-part";

export const crashRounds: GameRounds = {
  gameType: "crash",
  typeLabel: "Crash",
  resultText: ({ cashoutMultiplier, crashPoint }) => times(cashoutMultiplier ?? crashPoint ?? 1),
  detailText: ({ crashPoint, autoCashoutMultiplier }) =>
    `Crash point ${times(crashPoint ?? 1)}${autoCashoutMultiplier == null ? "" : `, automatic at ${times(autoCashoutMultiplier)}`}`,
  columns: {
    result: { name: "Crash point", cell: ({ crashPoint }) => times(crashPoint ?? 1) },
    bet: "Bet",
    terms: {
      name: "Cashed out",
      cell: ({ cashoutMultiplier }) => (cashoutMultiplier == null ? "–" : times(cashoutMultiplier)),
    },
  },
  extraTab: { value: "points", label: "Crash points", Content: lazyPart(() => import("./crash-points")) },
};
