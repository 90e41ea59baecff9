import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { SWRConfig, useSWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { deferred } from "@/test-support/deferred";
import { useAnnouncedGames } from "./announced";
import type { GameStatus } from "./definition";
import { GameStatusProvider, useGameStatuses } from "./game-status";
import { GAMES } from "./registry";
import { fetchGameStatuses, type GameStatusEntry } from "./status-api";

vi.mock("./status-api", async (original) => ({ ...(await original<object>()), fetchGameStatuses: vi.fn() }));
const fetched = vi.mocked(fetchGameStatuses);

const minesAre = (status: GameStatus): GameStatusEntry[] => [{ name: "mines", status }];
const mines = GAMES.find(({ id }) => id === "mines");

function Shown() {
  const { isKnown, statusOf, playable } = useGameStatuses();
  const announced = useAnnouncedGames();
  const { cache } = useSWRConfig();
  return (
    <>
      <p data-testid="status">{`${mines ? statusOf(mines) : ""}, ${isKnown ? "known" : "unknown"}`}</p>
      <p data-testid="lists">{`${playable.length} and ${announced.length}`}</p>
      <button
        type="button"
        onClick={() => {
          for (const key of cache.keys()) cache.delete(key);
        }}
      >
        Forget
      </button>
    </>
  );
}
const app = (at: string) => (
  <SWRConfig
    value={{ provider: () => new Map(), revalidateIfStale: false, revalidateOnFocus: false, shouldRetryOnError: false }}
  >
    <GameStatusProvider screen={at}>
      <Shown />
    </GameStatusProvider>
  </SWRConfig>
);
const status = () => screen.getByTestId("status").textContent;

beforeEach(() => void vi.spyOn(console, "warn").mockReturnValue());
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

it("uses the defaults until the server has answered", async () => {
  const answer = deferred<GameStatusEntry[]>();
  fetched.mockReturnValue(answer.promise);
  render(app("/dice"));
  expect(status()).toBe("announced, unknown");
  expect(screen.getByTestId("lists")).toHaveTextContent("5 and 5");
  await act(async () => answer.resolve(minesAre("open")));
  await waitFor(() => expect(status()).toBe("open, known"));
  expect(screen.getByTestId("lists")).toHaveTextContent("6 and 4");
});

it("keeps the defaults if the server is unreachable", async () => {
  fetched.mockRejectedValue(new TypeError("no network"));
  render(app("/dice"));
  await waitFor(() => expect(status()).toBe("announced, known"));
});

it("reloads on another screen and when the page becomes visible, and not in between", async () => {
  fetched.mockResolvedValue(minesAre("open"));
  const { rerender } = render(app("/dice"));
  await waitFor(() => expect(status()).toBe("open, known"));
  rerender(app("/dice"));
  expect(fetched).toHaveBeenCalledTimes(1);
  fetched.mockResolvedValue(minesAre("paused"));
  rerender(app("/crash"));
  await waitFor(() => expect(status()).toBe("paused, known"));
  fetched.mockResolvedValue(minesAre("announced"));
  act(() => void window.dispatchEvent(new Event("focus")));
  await waitFor(() => expect(status()).toBe("announced, known"));
});

it("keeps the statuses when the cache is cleared at sign-in", async () => {
  fetched.mockResolvedValue(minesAre("open"));
  const { rerender } = render(app("/auth"));
  await waitFor(() => expect(status()).toBe("open, known"));
  const answer = deferred<GameStatusEntry[]>();
  fetched.mockReturnValue(answer.promise);
  act(() => screen.getByRole("button", { name: "Forget" }).click());
  rerender(app("/dashboard"));
  expect(status()).toBe("open, known");
  await act(async () => answer.resolve(minesAre("open")));
  expect(status()).toBe("open, known");
});
