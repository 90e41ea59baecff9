import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { OpenRounds } from "@/games/rounds/api";
import { fetchOpenRounds } from "@/games/rounds/api";
import { Link, MemoryRouter, Route, Routes } from "@/lib/address";
import { deferred } from "@/test-support/deferred";
import { FakeSource } from "@/test-support/event-source";
import { openRounds } from "@/test-support/open-rounds";
import { minesRound } from "@/test-support/mines";
import { crashRound } from "@/test-support/rounds";
import { RunningRoundsProvider } from "../providers/running-rounds";
import { RunningLead } from "./running-lead";

vi.mock("@/games/rounds/api", () => ({ fetchOpenRounds: vi.fn() }));
const session = vi.hoisted(() => ({ user: { id: 7 }, updateBalance: vi.fn() }));
vi.mock("@/api/session", () => ({ useSession: () => session }));

vi.stubGlobal("EventSource", FakeSource);
// Pictures are not near the viewport, so that none is loaded.
vi.stubGlobal(
  "IntersectionObserver",
  class {
    observe() {}
    disconnect() {}
  },
);
vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }));

beforeEach(() => void vi.mocked(fetchOpenRounds).mockReset());
afterEach(cleanup);

async function show(open: Partial<OpenRounds>) {
  vi.mocked(fetchOpenRounds).mockResolvedValue(openRounds(open));
  const element = (
    <RunningRoundsProvider>
      <RunningLead />
      <Link to="/history">Game History</Link>
    </RunningRoundsProvider>
  );
  await act(
    async () =>
      void render(
        <MemoryRouter initialEntries={["/dashboard"]}>
          <Routes>
            <Route path="/dashboard" element={element} />
            <Route path="/history" element={element} />
          </Routes>
        </MemoryRouter>,
      ),
  );
}
const leads = () => screen.queryAllByRole("region").map((region) => region.getAttribute("aria-label"));

it("shows nothing without a round in play", async () => {
  await show({});
  expect(leads()).toEqual([]);
});

it("puts a round that does not wait before one that does", async () => {
  await show({ mines: minesRound(1), crash: crashRound(2) });
  expect(leads()).toEqual(["Crash in play", "Mines in play"]);
  expect(screen.getAllByRole("link", { name: "Continue" }).map((link) => link.getAttribute("href"))).toEqual([
    "/crash",
    "/mines",
  ]);
});

it("shows the result where the round was, until another screen is opened", async () => {
  await show({ crash: crashRound(3) });
  const paid = { cashoutMultiplier: 1.5, winAmount: "15.00", newBalance: "105.00" };
  FakeSource.newest.says("crash", crashRound(3, { result: "cashed_out", serverTimeMs: 3000, ...paid }));
  expect(leads()).toEqual(["Crash is over"]);
  expect(screen.getByRole("status")).toHaveTextContent("+$5.00");
  expect(session.updateBalance).toHaveBeenCalledWith(expect.objectContaining({ newBalance: "105.00" }));
  vi.mocked(fetchOpenRounds).mockResolvedValue(openRounds({ serverTimeMs: 4000 }));
  await act(async () => screen.getByRole("link", { name: "Game History" }).click());
  expect(leads()).toEqual([]);
});

it("follows the next round after one has ended", async () => {
  await show({ crash: crashRound(4) });
  FakeSource.newest.says("crash", crashRound(4, { result: "crashed", serverTimeMs: 5000 }));
  expect(screen.getByRole("status")).toHaveTextContent("−$10.00");
  FakeSource.newest.says("crash", crashRound(5, { serverTimeMs: 6000 }));
  expect(leads()).toEqual(["Crash in play"]);
});

const OVER = { result: "cashed_out", cashoutMultiplier: 1.5, winAmount: "15.00", newBalance: "105.00" } as const;

/** Shows a round in play, and begins to load the rounds in play again, as on a return to this screen. */
async function loadAgain(roundId: number) {
  await show({ crash: crashRound(roundId) });
  const response = deferred<OpenRounds>();
  vi.mocked(fetchOpenRounds).mockReturnValue(response.promise);
  await act(async () => void document.dispatchEvent(new Event("visibilitychange")));
  expect(fetchOpenRounds).toHaveBeenCalledTimes(2);
  return async (open: Partial<OpenRounds>) => act(async () => response.resolve(openRounds(open)));
}

it("keeps the result if the server read the rounds in play before it and answers afterwards", async () => {
  const answer = await loadAgain(6);
  FakeSource.newest.says("crash", crashRound(6, { ...OVER, serverTimeMs: 3000 }));
  expect(leads()).toEqual(["Crash is over"]);
  await answer({ serverTimeMs: 3001, crash: crashRound(6, { serverTimeMs: 3001 }) });
  expect(leads()).toEqual(["Crash is over"]);
  // An event of the round does not bring it back, either.
  FakeSource.newest.says("crash", crashRound(6, { serverTimeMs: 3002 }));
  expect(leads()).toEqual(["Crash is over"]);
});

it("takes from an answer what an event of another game does not say", async () => {
  const answer = await loadAgain(7);
  FakeSource.newest.says("crash", crashRound(7, { ...OVER, serverTimeMs: 3000 }));
  await answer({ serverTimeMs: 2999, crash: crashRound(7), mines: minesRound(8) });
  expect(leads()).toEqual(["Crash is over", "Mines in play"]);
});

it("shows the next round in place of the result if an answer knows it first", async () => {
  const answer = await loadAgain(9);
  FakeSource.newest.says("crash", crashRound(9, { ...OVER, serverTimeMs: 3000 }));
  await answer({ serverTimeMs: 5000, crash: crashRound(10, { serverTimeMs: 5000 }) });
  expect(leads()).toEqual(["Crash in play"]);
});
