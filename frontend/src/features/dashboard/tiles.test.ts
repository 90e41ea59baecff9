import { expect, it } from "vitest";
import { GAMES } from "@/games/registry";
import type { GameHistoryEntry } from "@/games/rounds/api";
import { parseFavourites } from "./favourites";
import { type LastRounds, lastRoundsIn } from "./last-rounds";
import { lobbyOf, tilesOf } from "./tile-order";

const idsOf = (games: readonly { id: string }[]) => games.map(({ id }) => id);
const NONE: LastRounds = new Map();

/** A history entry; higher numbers are later. */
const round = (id: number, change: Partial<GameHistoryEntry>): GameHistoryEntry => ({
  id,
  gameType: "dice",
  betAmount: "10.00",
  winAmount: "0.00",
  profit: "-10.00",
  outcome: "loss",
  createdAt: new Date(Date.UTC(2026, 10, 1, 0, id)).toISOString(),
  ...change,
});

it("has a tile for every game with a page, in one order", () => {
  expect(idsOf(lobbyOf(GAMES))).toEqual(["dice", "crash", "video-poker", "heads-up", "stonks", "mines"]);
  expect(idsOf(lobbyOf(GAMES.toReversed()))).toEqual(idsOf(lobbyOf(GAMES)));
});

it("puts favourites first and leaves the others in their order", () => {
  const favourites = new Set(["stonks", "crash", "unknown"]);
  expect(idsOf(tilesOf(GAMES, "all", { favourites, lastRounds: NONE }))).toEqual([
    "crash",
    "stonks",
    "dice",
    "video-poker",
    "heads-up",
    "mines",
  ]);
  expect(idsOf(tilesOf(GAMES, "favourites", { favourites, lastRounds: NONE }))).toEqual(["crash", "stonks"]);
  expect(tilesOf(GAMES, "favourites", { favourites: new Set(), lastRounds: NONE })).toEqual([]);
});

it("sorts the recent games by the player's last round", () => {
  const entries = [
    round(9, { gameType: "stonks" }),
    round(8, { gameType: "dice" }),
    round(7, { gameType: "stonks" }),
    round(6, { gameType: "poker", pokerGame: "headsUp" }),
  ];
  const lastRounds = lastRoundsIn(GAMES, entries);
  expect(idsOf(tilesOf(GAMES, "recent", { favourites: new Set(["dice"]), lastRounds }))).toEqual([
    "stonks",
    "dice",
    "heads-up",
  ]);
  expect(tilesOf(GAMES, "recent", { favourites: new Set(), lastRounds: NONE })).toEqual([]);
});

it("finds the newest round of each game, and tells games with the same name in the history apart", () => {
  const entries = [
    round(5, { gameType: "poker", pokerGame: "headsUp", profit: "4.88" }),
    round(4, { gameType: "poker", pokerGame: "videoPoker", profit: "1.00" }),
    round(3, { gameType: "poker", pokerGame: "headsUp", profit: "2.00" }),
  ];
  const found = lastRoundsIn(GAMES, entries);
  expect([...found.keys()]).toEqual(["video-poker", "heads-up"]);
  expect(found.get("heads-up")?.profit).toBe("4.88");
});

it("reads stored favourites, whatever is stored", () => {
  expect([...parseFavourites('["dice","crash"]')]).toEqual(["dice", "crash"]);
  for (const stored of [null, "", "{}", "not JSON", "[1,null]"]) expect(parseFavourites(stored).size).toBe(0);
});
