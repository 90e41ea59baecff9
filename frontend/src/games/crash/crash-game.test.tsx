import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ConnectionError } from "@/api/client";
import { toast } from "@/components";
import { fetchOpenRounds } from "@/games/rounds/api";
import { setTurbo } from "@/lib/turbo";
import { FakeSource } from "@/test-support/event-source";
import { openRounds } from "@/test-support/open-rounds";
import { crashRound } from "@/test-support/rounds";
import { type CrashRound, type CrashStart, startCrash } from "./api";
import { CrashGame } from "./crash-game";

vi.mock("./api", async (original) => ({
  ...(await original<object>()),
  fetchCrashSettings: vi.fn(() => Promise.reject(new Error("not needed"))),
  startCrash: vi.fn(),
}));
vi.mock("@/games/rounds/api", async (original) => ({ ...(await original<object>()), fetchOpenRounds: vi.fn() }));
vi.mock("@/api/hooks", () => ({ useQuery: () => ({ data: [] }), FETCH_ONCE: {} }));
vi.mock("@/api/session", () => {
  const session = {
    user: { id: 7, balance: "100.00" },
    updateBalance: () => undefined,
    refresh: () => Promise.resolve(),
  };
  return { useSession: () => session, useUser: () => session.user };
});
vi.mock("@/components", async (original) => ({ ...(await original<object>()), toast: vi.fn() }));
// Motion is reduced, because this environment has no animations.
vi.stubGlobal("matchMedia", (query: string) => ({
  matches: query.includes("reduced-motion"),
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);

vi.stubGlobal("EventSource", FakeSource);

const main = () => screen.getByTestId("main-action");
const started: { bet: CrashStart; key: string }[] = [];
/** The server answers a repeated key with the round that it started. */
const idOf = (wanted: string): number => [...new Set(started.map(({ key }) => key))].indexOf(wanted) + 1;
const crashed = (roundId: number): CrashRound =>
  crashRound(roundId, { result: "crashed", crashPoint: 1, serverTimeMs: 3000 });

beforeEach(async () => {
  started.length = 0;
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  HTMLCanvasElement.prototype.getContext = (() => null) as typeof HTMLCanvasElement.prototype.getContext;
  vi.mocked(fetchOpenRounds).mockResolvedValue(openRounds({ serverTimeMs: 500 }));
  vi.mocked(startCrash).mockImplementation(async (bet, key) => {
    started.push({ bet, key });
    return crashed(started.length);
  });
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <CrashGame closed="" onVerifyRound={() => undefined} onOpenFairness={() => undefined} />
    </SWRConfig>,
  );
  await waitFor(() => expect(main()).not.toHaveAttribute("aria-disabled"));
});
afterEach(() => {
  cleanup();
  setTurbo(false);
  vi.restoreAllMocks();
  vi.clearAllMocks();
});

const click = (element: HTMLElement) => act(async () => void fireEvent.click(element));

it("repeats the last bet with one press after a round, while Play Again still returns to idle", async () => {
  await click(main());
  expect(main()).toHaveTextContent("Play Again");
  await click(screen.getByRole("button", { name: "Repeat $10.00" }));
  expect(started).toHaveLength(2);
  expect(main()).toHaveTextContent("Play Again");
});

it("needs an automatic cash-out for autobet", async () => {
  await click(screen.getByRole("radio", { name: "Auto" }));
  fireEvent.change(screen.getByLabelText("Auto cash-out multiplier"), { target: { value: "" } });
  await click(main());
  expect(vi.mocked(toast)).toHaveBeenCalledWith(expect.objectContaining({ title: "Auto cash-out needed" }));
  expect(started).toEqual([]);
});

it("plays autobet round after round, finds the round of a lost answer, and stops when asked to", async () => {
  setTurbo(true);
  await click(screen.getByRole("radio", { name: "Auto" }));
  await screen.findByLabelText("Number of rounds");
  // The first answer is lost, but an event tells of the round.
  vi.mocked(startCrash).mockImplementationOnce((bet, key) => {
    started.push({ bet, key });
    FakeSource.newest.says("crash", crashRound(1, { serverTimeMs: 2000 }));
    return Promise.reject(new ConnectionError(new TypeError("lost")));
  });
  vi.mocked(startCrash).mockImplementation(async (bet, key) => {
    started.push({ bet, key });
    return crashRound(idOf(key), { serverTimeMs: 2000 });
  });
  vi.mocked(fetchOpenRounds).mockResolvedValue(openRounds({ serverTimeMs: 2100, crash: crashRound(1) }));
  await click(main());
  expect(main()).toHaveTextContent("Stop autobet");
  await waitFor(() => expect(vi.mocked(fetchOpenRounds).mock.calls.length).toBeGreaterThan(1));
  FakeSource.newest.says("crash", crashed(1));
  await waitFor(() => expect(started.at(-1)?.key).not.toBe(started[0]?.key));
  const placed = started.length;
  await waitFor(() => expect(main()).toHaveTextContent("Stop autobet"));
  await click(main());
  // The round in play can be cashed out by hand while the stop waits for it.
  expect(main()).toHaveTextContent("Cash out");
  FakeSource.newest.says("crash", crashed(2));
  await waitFor(() => expect(screen.getByTestId("autobet-message")).toHaveTextContent("Stopped: You stopped it."));
  expect(screen.getByTestId("autobet-progress")).toHaveTextContent("0 and 2");
  expect(started).toHaveLength(placed);
  expect(vi.mocked(toast)).not.toHaveBeenCalled();
});
