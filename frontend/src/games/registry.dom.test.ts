import { announcedIn } from "./announced";
import { expect, it } from "vitest";
import type { GameStatus } from "./definition";
import {
  describeRound,
  GAME_SCREENS,
  GAMES,
  gameTypesOf,
  playableIn,
  screensOf,
  shownGame,
  statusIn,
  type Statuses,
} from "./registry";
import { recordOf } from "./rounds/game-rounds";

const DEFAULTS: Statuses = new Map();
const statuses = (of: Record<string, GameStatus>): Statuses => new Map(Object.entries(of));
const idsOf = (games: readonly { id: string }[]) => games.map(({ id }) => id);

it("has each game once", () => {
  const ids = new Set(idsOf([...GAMES, ...announcedIn(DEFAULTS)]));
  expect(ids.size).toBe(10);
  for (const of of [
    idsOf(GAMES),
    GAMES.map(({ path }) => path),
    GAMES.map(({ wire }) => wire.name),
    GAMES.map(({ wire }) => wire.reportName),
  ])
    expect(new Set(of).size).toBe(GAMES.length);
});

it("gives every game a page, and games that share one their own tab and hash", () => {
  expect(GAME_SCREENS.flatMap(({ games }) => games)).toEqual(expect.arrayContaining([...GAMES]));
  for (const screen of GAME_SCREENS) {
    for (const game of screen.games) expect(shownGame(screen, game.path.slice(screen.path.length))).toBe(game);
    expect(shownGame(screen, "#elsewhere")).toBe(screen.games[0]);
    if (screen.games.length > 1) for (const game of screen.games) expect(game.tabLabel).toBeDefined();
  }
});

it("distinguishes games that share a name in the history", () => {
  for (const { value } of gameTypesOf(GAMES)) {
    const variants = GAMES.filter(({ rounds }) => rounds.gameType === value).map(({ rounds }) => rounds.variant);
    expect(new Set(variants).size).toBe(variants.length);
    if (variants.length > 1) expect(variants).not.toContain(undefined);
  }
});

it("has a page and a verifier for every game", async () => {
  for (const game of GAMES) {
    expect((await game.loadPage()).page.Game).toBeTypeOf("function");
    expect((await game.loadVerifier()).verifier.verify).toBeTypeOf("function");
  }
});

it("describes a history entry", () => {
  const of = { id: 1, betAmount: "10.00", winAmount: "0.00", outcome: "loss" };
  expect(describeRound(recordOf({ ...of, gameType: "crash", crashPoint: 1.24 }))).toEqual({
    game: "Crash",
    detail: "Crash point 1.24×",
  });
  expect(describeRound(recordOf({ ...of, gameType: "poker", pokerGame: "headsUp", action: "call" }))).toEqual({
    game: "Poker",
    detail: "Heads-up, call",
  });
});

it("announces Mines unless the server says otherwise", () => {
  expect(idsOf(playableIn(DEFAULTS))).toEqual(["dice", "crash", "stonks", "video-poker", "heads-up"]);
  expect(idsOf(announcedIn(DEFAULTS))).toEqual(["blackjack", "baccarat", "mines", "holdem", "sportsbook"]);
  expect(announcedIn(DEFAULTS).find(({ id }) => id === "mines")).toEqual({
    id: "mines",
    name: "Mines",
    fullName: "Mines",
    tagline: "One more cell, or cash out.",
    expected: { year: 2025, quarter: 2 },
    isInMenu: true,
  });
});

it("uses the server's statuses, and the default for a game that it omits", () => {
  for (const status of ["open", "paused"] as const) {
    const known = statuses({ mines: status });
    expect(idsOf(playableIn(known))).toEqual(["dice", "crash", "stonks", "video-poker", "heads-up", "mines"]);
    expect(idsOf(announcedIn(known))).not.toContain("mines");
    expect(GAMES.map((game) => statusIn(known, game))).toEqual(["open", "open", "open", "open", "open", status]);
  }
  // A game without a page cannot be opened.
  expect(idsOf(announcedIn(statuses({ blackjack: "open" })))).toContain("blackjack");
});

it("announces a withdrawn game by its name, without a date", () => {
  const known = statuses({ crash: "announced" });
  expect(idsOf(playableIn(known))).not.toContain("crash");
  expect(announcedIn(known)[0]).toEqual({
    id: "crash",
    name: "Crash",
    fullName: "Crash",
    tagline: "Cash out before the multiplier crashes.",
    isInMenu: true,
  });
});

it("keeps a shared page while one of its games is playable", () => {
  const poker = screensOf(playableIn(statuses({ poker: "announced" }))).find(({ path }) => path === "/poker");
  expect(poker && idsOf(poker.games)).toEqual(["heads-up"]);
  expect(poker && shownGame(poker, "").id).toBe("heads-up");
  expect(screensOf(playableIn(statuses({ poker: "announced", headsUp: "announced" }))).map(({ path }) => path)).toEqual(
    ["/dice", "/crash", "/stonks"],
  );
});

it("lists the playable games in the history's filter", () => {
  expect(gameTypesOf(playableIn(DEFAULTS)).map(({ label }) => label)).toEqual(["Dice", "Crash", "Stonks", "Poker"]);
  expect(gameTypesOf(playableIn(statuses({ mines: "paused" }))).map(({ label }) => label)).toEqual([
    "Dice",
    "Crash",
    "Stonks",
    "Poker",
    "Mines",
  ]);
});
