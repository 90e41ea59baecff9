import { expect, it } from "vitest";
import type { GameHistoryEntry } from "./api";
import { paidMultiplier } from "./game-rounds";
import { joinedBets } from "./own-bets";
import { MAX_RECENT } from "./use-own-rounds";
import { entryOf, mergedBets, type PublicBet } from "./public-bets";

const bet = (id: number, change: Partial<PublicBet> = {}): PublicBet => ({
  id,
  gameType: "dice",
  player: null,
  betAmount: "1.00",
  multiplier: null,
  winAmount: "0.00",
  profit: "-1.00",
  outcome: "loss",
  endedAt: `2026-11-22T10:00:${String(id).padStart(2, "0")}Z`,
  result: { diceResult: id, targetNumber: 50, betType: "over" },
  ...change,
});
const idsOf = (bets: readonly { id: number }[]) => bets.map(({ id }) => id);

it("merges live bets with pages: each once, newest first, at most as many as asked for", () => {
  const paged = [bet(5), bet(4), bet(3)];
  expect(idsOf(mergedBets([bet(7), bet(5), bet(6)], paged, 20))).toEqual([7, 6, 5, 4, 3]);
  expect(idsOf(mergedBets([bet(7)], paged, 2))).toEqual([7, 5]);
  expect(mergedBets([], [], 20)).toEqual([]);
});

it("orders bets by their end, not by their number, and those of one moment by their number", () => {
  const late = bet(1, { endedAt: "2026-11-22T11:00:00.5Z" });
  const same = bet(2, { endedAt: "2026-11-22T11:00:00.500Z" });
  expect(idsOf(mergedBets([bet(9)], [late, same], 20))).toEqual([2, 1, 9]);
});

it("keeps the live version of a bet, which has the newest name", () => {
  expect(mergedBets([bet(1, { player: "lena" })], [bet(1)], 20)[0]?.player).toBe("lena");
});

it("reads a bet in the format of the history", () => {
  expect(entryOf(bet(7))).toMatchObject({ id: 7, diceResult: 7, betType: "over", outcome: "loss", profit: "-1.00" });
});

const own = (id: number): GameHistoryEntry => ({
  id,
  gameType: "dice",
  betAmount: "1.00",
  winAmount: "0.00",
  profit: "-1.00",
  outcome: "loss",
  createdAt: "2026-11-22T10:00:00Z",
});
const ownOf = (from: number, count: number) => Array.from({ length: count }, (_, index) => own(from - index));

it("joins the latest rounds with the pages of the history, each once", () => {
  const { rounds, hasGap } = joinedBets([own(5), own(4)], [own(4), own(3), own(2)]);
  expect(idsOf(rounds)).toEqual([5, 4, 3, 2]);
  expect(hasGap).toBe(false);
});

it("shows nothing past a gap between them", () => {
  const recent = ownOf(1000, MAX_RECENT);
  expect(joinedBets(recent, ownOf(700, 50))).toEqual({ rounds: recent, hasGap: true });
  expect(joinedBets(recent, ownOf(805, 50)).rounds.at(-1)?.id).toBe(756);
  expect(joinedBets(recent, ownOf(805, 50)).hasGap).toBe(false);
  expect(joinedBets(recent, []).hasGap).toBe(false);
});

it.each([
  ["10.00", "19.80", "1.98×"],
  ["3.00", "1.00", "0.33×"],
  ["0.01", "980.00", "98000.00×"],
  ["5.00", "0.00", "–"],
  ["29.00", "29.00", "1.00×"],
])("states what a bet of %s that paid %s paid: %s", (betAmount, winAmount, expected) =>
  expect(paidMultiplier({ betAmount, winAmount })).toBe(expected),
);
