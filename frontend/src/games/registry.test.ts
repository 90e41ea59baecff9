import { expect, it } from "vitest";
import { ANNOUNCED_GAMES, describeRound, GAME_SCREENS, GAME_TYPES, GAMES, shownGame } from "./registry";
import { recordOf } from "./rounds/game-rounds";

it("has each game once", () => {
  const ids = [...GAMES, ...ANNOUNCED_GAMES].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const of of [GAMES.map(({ path }) => path), GAMES.map(({ wire }) => wire.name), GAMES.map(({ wire }) => wire.reportName)]) expect(new Set(of).size).toBe(GAMES.length);
});

it("gives every game a page, and those that share one a tab and a hash each", () => {
  expect(GAME_SCREENS.flatMap(({ games }) => games)).toEqual(expect.arrayContaining([...GAMES]));
  for (const screen of GAME_SCREENS) {
    for (const game of screen.games) expect(shownGame(screen, game.path.slice(screen.path.length))).toBe(game);
    expect(shownGame(screen, "#elsewhere")).toBe(screen.games[0]);
    if (screen.games.length > 1) for (const game of screen.games) expect(game.tabLabel).toBeDefined();
  }
});

it("tells games apart that share a name in the history", () => {
  for (const { value } of GAME_TYPES) {
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

it("says what a record is of", () => {
  const of = { id: 1, betAmount: "10.00", winAmount: "0.00", outcome: "loss" };
  expect(describeRound(recordOf({ ...of, gameType: "crash", crashPoint: 1.24 }))).toEqual({ game: "Crash", detail: "Crash point 1.24×" });
  expect(describeRound(recordOf({ ...of, gameType: "poker", pokerGame: "headsUp", action: "call" }))).toEqual({ game: "Poker", detail: "Heads-up, call" });
  expect(describeRound(recordOf({ ...of, gameType: "poker" }))).toEqual({ game: "Poker", detail: "Jacks or Better" });
});
