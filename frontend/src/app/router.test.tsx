import { existsSync } from "node:fs";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { GAME_SCREENS } from "@/games/registry";
import { MemoryRouter, Route, Routes } from "@/lib/address";
import texts from "./page-texts.json";
import { SCREENS } from "./router";
import known from "./routes.json";

/** As the server reads them: each game has two paths. */
const paths = [...known.pages, ...known.games.flatMap((game) => [`/${game}`, `/dashboard/${game}`])];

afterEach(cleanup);

it("the server's list of paths matches the router", () => {
  const routes = SCREENS.flatMap(({ path }) =>
    path.includes(":game") ? GAME_SCREENS.map((game) => path.replace("/:game", game.path)) : [path],
  );
  expect(paths.toSorted()).toEqual(routes.toSorted());
});

it.each([...paths, "/Dice/"])("%s leads to a page", (path) => {
  render(
    <MemoryRouter initialEntries={[path]}>
      <Routes>
        {SCREENS.map((shown) => (
          <Route key={shown.path} path={shown.path} element={<p>{shown.path}</p>} />
        ))}
        <Route path="*" element={null} />
      </Routes>
    </MemoryRouter>,
  );
  expect(screen.getAllByText(/^\//)).toHaveLength(1);
});

it("the server knows the title and the modules of every page", () => {
  expect(Object.keys(texts.pages).toSorted()).toEqual(
    [...known.pages, ...known.games.map((game) => `/${game}`)].toSorted(),
  );
  for (const { games } of GAME_SCREENS)
    expect(Object.entries(texts.pages).find(([path]) => path === games[0].path)?.[1].title).toBe(games[0].title);
  for (const page of Object.values(texts.pages))
    for (const name of page.modules) expect(existsSync(name), name).toBe(true);
});
