import { matchRoutes, type RouteObject } from "react-router-dom";
import { expect, it } from "vitest";
import { GAME_SCREENS } from "@/games/registry";
import { routes } from "./router";
import known from "./routes.json";

/** As the server reads them: each game has two paths. */
const paths = [...known.pages, ...known.games.flatMap((game) => [`/${game}`, `/dashboard/${game}`])];

/** Every path of the router, with the games substituted for their parameter. */
function pathsOf(route: RouteObject): string[] {
  if (route.children) return route.children.flatMap(pathsOf);
  if (route.index) return ["/"];
  if (route.path === "*") return [];
  return route.path?.includes(":game")
    ? GAME_SCREENS.map(({ path }) => `/${route.path?.replace("/:game", path)}`)
    : [`/${route.path}`];
}

it("the server's list of paths matches the router", () => {
  expect(paths.toSorted()).toEqual(routes.flatMap(pathsOf).toSorted());
});

it.each(paths)("%s leads to a page", (path) => {
  expect(matchRoutes(routes, path)?.at(-1)?.route.path).not.toBe("*");
});

it("every screen has its own error boundary", () => {
  const screens = (route: RouteObject): RouteObject[] => route.children?.flatMap(screens) ?? [route];
  for (const route of routes.flatMap(screens)) expect(route.errorElement, route.path).toBeDefined();
});
