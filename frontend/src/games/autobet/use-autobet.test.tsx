import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { toast } from "@/components/toast-store";
import { deferred } from "@/test-support/deferred";
import type { BetResult } from "./run";
import { type AutobetGame, useAutobet } from "./use-autobet";

const session = vi.hoisted(() => ({ user: { id: 7 }, refresh: vi.fn(async () => ({ id: 7 })) }));
vi.mock("@/api/session", () => ({ useSession: () => session }));
vi.mock("@/components/toast-store", () => ({ toast: vi.fn() }));

const lost = (stakeCents: number): BetResult => ({
  kind: "settled",
  stakeCents,
  payoutCents: 0,
  isWin: false,
  balanceCents: 9000,
});

/** Lets the code of a run be loaded, and every promise that can be settled be settled. */
const settle = () =>
  act(async () => {
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(0);
  });

function setup(place: AutobetGame["place"], change: Partial<AutobetGame> = {}) {
  const game: AutobetGame = {
    limits: { minimumCents: 1, maximumCents: 1000, balanceCents: 10_000 },
    isClosed: false,
    gapMs: () => 0,
    place,
    ...change,
  };
  return renderHook((options: AutobetGame) => useAutobet(options), { initialProps: game });
}

/** The locks of one browser. */
class Locks {
  readonly held = new Set<string>();
  async request(name: string, _options: object, work: (lock: object | null) => Promise<void>): Promise<void> {
    if (this.held.has(name)) {
      await work(null);
      return;
    }
    this.held.add(name);
    try {
      await work({ name });
    } finally {
      this.held.delete(name);
    }
  }
}
let locks: Locks;

function setHidden(isHidden: boolean): void {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  locks = new Locks();
  Object.defineProperty(navigator, "locks", { configurable: true, value: locks });
});
afterEach(() => {
  cleanup();
  setHidden(false);
  vi.useRealTimers();
  vi.clearAllMocks();
});

it("plays the wanted rounds, and frees the lock for other tabs", async () => {
  const place = vi.fn(async (stakeCents: number) => lost(stakeCents));
  const { result } = setup(place);
  act(() => result.current.setForm({ ...result.current.form, rounds: "3" }));
  act(() => result.current.start(100));
  await settle();
  expect(place.mock.calls).toEqual(Array.from({ length: 3 }, () => [100, false]));
  expect(result.current).toMatchObject({ isRunning: false, rounds: 3, run: { stop: { kind: "rounds" } } });
  expect(toast).toHaveBeenCalledExactlyOnceWith({
    title: "Autobet stopped",
    description: "All 3 rounds were played. 3 rounds, $3.00 staked, loss −$3.00.",
  });
  expect(locks.held.size).toBe(0);
});

it("does not start with an invalid form, and starts once however often it is asked to", async () => {
  const place = vi.fn(() => deferred<BetResult>().promise);
  const { result } = setup(place);
  act(() => result.current.setForm({ ...result.current.form, rounds: "0" }));
  act(() => result.current.start(100));
  await settle();
  expect(result.current).toMatchObject({ isChecked: true, run: null });
  expect(toast).toHaveBeenCalledExactlyOnceWith({
    title: "Number of rounds",
    description: "Enter a whole number from 1 to 1,000,000, or nothing for no limit",
    variant: "destructive",
  });
  act(() => result.current.setForm({ ...result.current.form, rounds: "" }));
  act(() => {
    result.current.start(100);
    result.current.start(100);
  });
  await settle();
  expect(place).toHaveBeenCalledOnce();
});

it("says so if another tab runs autobet, and starts once that is over", async () => {
  const place = vi.fn(async (stakeCents: number) => lost(stakeCents));
  locks.held.add("glasshouse-autobet-7");
  const { result } = setup(place);
  act(() => result.current.setForm({ ...result.current.form, rounds: "1" }));
  act(() => result.current.start(100));
  await settle();
  expect(result.current.run).toMatchObject({ phase: "stopped", stop: { kind: "elsewhere" } });
  expect(place).not.toHaveBeenCalled();
  locks.held.clear();
  act(() => result.current.start(100));
  await settle();
  expect(result.current.run).toMatchObject({ stop: { kind: "rounds" } });
});

it("pauses while the tab is hidden or the connection is lost, and goes on by itself", async () => {
  let isLost = true;
  const listeners = new Set<() => void>();
  const connection = {
    isLost: () => isLost,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const place = vi.fn(async (stakeCents: number) => lost(stakeCents));
  const { result } = setup(place, { connection });
  act(() => result.current.setForm({ ...result.current.form, rounds: "1" }));
  setHidden(true);
  act(() => result.current.start(100));
  await settle();
  expect(result.current.run).toMatchObject({ phase: "paused", pause: "This tab is in the background." });
  setHidden(false);
  await settle();
  expect(result.current.run).toMatchObject({ phase: "paused", pause: "The connection to Glasshouse is lost." });
  expect(place).not.toHaveBeenCalled();
  isLost = false;
  for (const listener of listeners) listener();
  await settle();
  expect(result.current.run).toMatchObject({ phase: "stopped", stop: { kind: "rounds" } });
  expect(listeners.size).toBe(0);
});

it("says nothing of an end that the player asked for", async () => {
  const round = deferred<BetResult>();
  const { result } = setup(() => round.promise);
  act(() => result.current.start(100));
  await settle();
  act(() => result.current.stop());
  round.resolve(lost(100));
  await settle();
  expect(result.current.run).toMatchObject({ stop: { kind: "player" } });
  expect(toast).not.toHaveBeenCalled();
});

it("ends before the next round when the game closes", async () => {
  const round = deferred<BetResult>();
  const place = vi.fn(() => round.promise);
  const { result, rerender } = setup(place);
  act(() => result.current.start(100));
  await settle();
  rerender({
    limits: { minimumCents: 1, maximumCents: 1000, balanceCents: 10_000 },
    isClosed: true,
    gapMs: () => 0,
    place,
  });
  round.resolve(lost(100));
  await settle();
  expect(result.current.run).toMatchObject({ stop: { kind: "closed" }, totals: { rounds: 1 } });
  expect(place).toHaveBeenCalledOnce();
});

it("does not go on with the money of another player", async () => {
  const place = vi.fn(async (stakeCents: number) => lost(stakeCents));
  const { result } = setup(place);
  setHidden(true);
  act(() => result.current.start(100));
  await settle();
  session.refresh.mockResolvedValueOnce({ id: 8 });
  setHidden(false);
  await settle();
  expect(result.current.run).toMatchObject({ stop: { kind: "session" } });
  expect(place).not.toHaveBeenCalled();
});

it("ends when another player is logged in", async () => {
  const place = vi.fn(() => deferred<BetResult>().promise);
  const { result, rerender } = setup(place);
  act(() => result.current.start(100));
  await settle();
  session.user = { id: 8 };
  rerender({
    limits: { minimumCents: 1, maximumCents: 1000, balanceCents: 1 },
    isClosed: false,
    gapMs: () => 0,
    place,
  });
  session.user = { id: 7 };
  await settle();
  expect(result.current.run).toMatchObject({ stop: { kind: "session" } });
  expect(place).toHaveBeenCalledOnce();
});

it("is locked from the press on, and can be stopped before it has begun", async () => {
  const place = vi.fn(async (stakeCents: number) => lost(stakeCents));
  const { result } = setup(place);
  act(() => result.current.start(100));
  expect(result.current).toMatchObject({ isRunning: true, run: null });
  act(() => result.current.stop());
  await settle();
  expect(result.current).toMatchObject({ isRunning: false, run: { stop: { kind: "player" } } });
  expect(place).not.toHaveBeenCalled();
});

it("does not begin once the game has been left", async () => {
  const place = vi.fn(async (stakeCents: number) => lost(stakeCents));
  const granted = deferred<void>();
  const request = locks.request.bind(locks);
  locks.request = async (...all) => {
    await granted.promise;
    await request(...all);
  };
  const { result, unmount } = setup(place);
  act(() => result.current.start(100));
  await settle();
  unmount();
  granted.resolve();
  await settle();
  expect(place).not.toHaveBeenCalled();
  expect(locks.held.size).toBe(0);
});

it("ends when the player leaves the game, says what it came to, and frees the lock", async () => {
  const place = vi.fn(() => deferred<BetResult>().promise);
  const { result, unmount } = setup(place);
  act(() => result.current.start(100));
  await settle();
  expect(locks.held.size).toBe(1);
  unmount();
  await settle();
  expect(vi.mocked(toast)).toHaveBeenCalledWith({
    title: "Autobet stopped",
    description: "You left the game. 0 rounds, $0.00 staked, profit $0.00.",
  });
  expect(locks.held.size).toBe(0);
});
