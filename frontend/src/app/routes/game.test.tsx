import { cleanup, render, screen } from "@testing-library/react";
import type { ComponentType } from "react";
import { MemoryRouter, Route, Routes } from "@/lib/address";
import { afterEach, expect, it, vi } from "vitest";
import type { GameDefinition, GameStatus } from "@/games/definition";
import { useGameStatuses } from "@/games/game-status";
import { GAME_SCREENS, GAMES } from "@/games/registry";
import { useGamesInPlay } from "../providers/running-rounds";
import { gamePage } from "./game";

let user: object | null = null;
vi.mock("@/api/session", () => ({ useUser: () => user }));
vi.mock("@/games/game-status", () => ({ useGameStatuses: vi.fn() }));
vi.mock("../providers/running-rounds", () => ({ useGamesInPlay: vi.fn() }));
vi.mock("../providers/dialogs", () => ({ useAppDialogs: () => ({ openFairness: () => undefined }) }));

const Game = ({ closed }: { closed: string }) => <p>{closed ? `The game, closed: ${closed}` : "The game"}</p>;
const screenAt = (path: string) => {
  const found = GAME_SCREENS.find((candidate) => candidate.path === path);
  if (!found) throw new Error(`no screen at ${path}`);
  const [first, ...others] = found.games.map((game): GameDefinition =>
    Object.assign(game, { loadPage: async () => ({ page: { Game, note: "" } }) }),
  );
  return first ? { ...found, games: [first, ...others] as const } : found;
};

type Setup = {
  statuses?: Record<string, GameStatus>;
  isKnown?: boolean;
  inPlay?: string[];
  areRoundsKnown?: boolean;
  path?: string;
};
async function open({ statuses = {}, isKnown = true, inPlay = [], areRoundsKnown = true, path = "/mines" }: Setup) {
  const statusOf = (game: GameDefinition) => statuses[game.wire.name] ?? game.defaultStatus;
  vi.mocked(useGameStatuses).mockReturnValue({
    isKnown,
    statusOf,
    playable: [],
    refresh: async () => undefined,
  });
  vi.mocked(useGamesInPlay).mockReturnValue({
    isKnown: areRoundsKnown,
    games: new Set(GAMES.filter(({ id }) => inPlay.includes(id))),
    elsewhere: [],
    open: null,
    ended: null,
  });
  const { default: Page }: { default: ComponentType } = await gamePage(screenAt(path))();
  render(
    <MemoryRouter initialEntries={[path]}>
      <Routes>
        <Route path={path} element={<Page />} />
        <Route path="/coming-soon" element={<p>Coming soon</p>} />
      </Routes>
    </MemoryRouter>,
  );
}
const note = () => screen.queryByText(/is not accepting new rounds/);

afterEach(() => {
  cleanup();
  user = null;
  vi.resetAllMocks();
});

it("starts no rounds for a player who is excluded, which is not the game's fault", async () => {
  user = { excludedUntil: "2026-12-25T10:00:00Z" };
  await open({ statuses: { mines: "open" } });
  expect(await screen.findByText("The game, closed: Excluded")).toBeInTheDocument();
  expect(note()).toBeNull();
});

it("redirects from an announced game to Coming Soon", async () => {
  await open({});
  expect(screen.getByText("Coming soon")).toBeVisible();
});

it("waits until the game's status and the rounds in play are known", async () => {
  for (const setup of [{ isKnown: false }, { areRoundsKnown: false }]) {
    await open(setup);
    expect(screen.queryByText("Coming soon")).toBeNull();
    expect(screen.queryByText(/^The game/)).toBeNull();
    cleanup();
  }
});

it("shows an open game, and says that a paused one starts no rounds", async () => {
  await open({ statuses: { mines: "open" } });
  expect(screen.getByText("The game")).toBeVisible();
  expect(note()).toBeNull();
  cleanup();
  await open({ statuses: { mines: "paused" } });
  expect(screen.getByText("The game, closed: Paused")).toBeVisible();
  expect(note()).toBeVisible();
});

it("lets a round be finished in a withdrawn game", async () => {
  await open({ inPlay: ["mines"] });
  expect(screen.getByText("The game, closed: Paused")).toBeVisible();
});

it("keeps the other game of a page when one is withdrawn", async () => {
  await open({ statuses: { poker: "announced" }, path: "/poker" });
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Heads-up Hold'em");
  expect(screen.queryByRole("tablist")).toBeNull();
});
