import { expect, it } from "vitest";
import { GAMES } from "@/games/registry";
import { bottomBarOf } from "./navigation";

const several = GAMES.filter((game, index) => GAMES.findIndex(({ path }) => path === game.path) === index);
/** Games on pages of their own, as many as wanted. */
const games = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const game = several[index % several.length];
    if (!game) throw new Error("there are no games");
    return { ...game, id: `game-${index}`, path: `/game-${index}` as const, shortLabel: `Game ${index}` };
  });
const labels = (places: readonly { label: string }[]) => places.map(({ label }) => label);

it("has an entry for every game while they fit", () => {
  const { games: shown, all } = bottomBarOf(games(5), () => false);
  expect(labels(shown)).toEqual(["Game 0", "Game 1", "Game 2", "Game 3", "Game 4"]);
  expect(all).toBeNull();
});

it("has an entry for all of them otherwise, and keeps the current game and those in play", () => {
  const { games: shown, all } = bottomBarOf(games(8), ({ label }) => label === "Game 6");
  expect(labels(shown)).toEqual(["Game 0", "Game 1", "Game 6"]);
  expect(all).toHaveLength(8);
  const wanted = ["Game 2", "Game 4", "Game 5", "Game 7"];
  expect(labels(bottomBarOf(games(8), ({ label }) => wanted.includes(label)).games)).toEqual(wanted);
});
