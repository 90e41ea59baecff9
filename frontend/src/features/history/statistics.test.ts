import { expect, it } from "vitest";
import { nextPageKey } from "@/games/rounds/history-pages";
import type { GameStatistics } from "./api";
import { mostPlayed, winLossRatio } from "./statistics";

const game = (gameType: GameStatistics["gameType"], gamesPlayed: number): GameStatistics => ({
  gameType,
  gamesPlayed,
  wins: 0,
  totalWagered: "0.00",
  totalWon: "0.00",
  profit: "0.00",
  averageMultiplier: null,
  bestMultiplier: null,
});

it("computes the ratio of wins to losses", () => {
  expect(winLossRatio({ wins: 0, losses: 0 })).toBe("0.00");
  expect(winLossRatio({ wins: 1, losses: 3 })).toBe("0.33");
  expect(winLossRatio({ wins: 2, losses: 0 })).toBe("∞");
});

it("finds the most played game", () => {
  expect(mostPlayed([])).toBeNull();
  expect(mostPlayed([game("crash", 3), game("dice", 5), game("poker", 5)])?.gameType).toBe("dice");
});

it("continues after the last page, and stops at the end", () => {
  const filter = { search: "win" };
  expect(nextPageKey(filter, null)).toEqual(["history", filter, null]);
  expect(nextPageKey(filter, { entries: [], next: "5-1" })).toEqual(["history", filter, "5-1"]);
  expect(nextPageKey(filter, { entries: [], next: null })).toBeNull();
});
