import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/client";
import { fetchOpenRounds, fetchSettledRound } from "@/games/rounds/api";
import { crashRound } from "@/test-support/rounds";
import { liveEvents } from "@/api/live/event-stream";
import { FakeSource } from "@/test-support/event-source";
import { openRounds } from "@/test-support/open-rounds";
import { type LiveGame, useLiveRound } from "./use-live-round";

vi.mock("@/games/rounds/api", () => ({ fetchOpenRounds: vi.fn(), fetchSettledRound: vi.fn() }));

type CrashRound = ReturnType<typeof crashRound>;

vi.stubGlobal("EventSource", FakeSource);

type Bet = { betAmount: string };
type Claim = { cashoutMultiplier: string };
const BET: Bet = { betAmount: "10.00" };
const CLAIM: Claim = { cashoutMultiplier: "1.53" };
const noOpenRounds = openRounds({ serverTimeMs: 2000 });
const ended = (id: number, change: Partial<CrashRound> = {}) =>
  crashRound(id, { result: "crashed", crashPoint: 1.2, serverTimeMs: 3000, newBalance: "90.00", ...change });

async function setup() {
  const start = vi.fn<(bet: Bet, key: string) => Promise<CrashRound>>();
  const cashOut = vi.fn<(claim: Claim, key: string) => Promise<CrashRound>>();
  const calls: LiveGame<CrashRound, Bet, Claim> = {
    game: "crash",
    openOf: ({ crash }) => crash,
    start,
    cashOut,
    settledFrom: (known, { crash }) =>
      crash ? { ...known, result: "crashed", crashPoint: crash.crashPoint ?? null } : null,
  };
  const handlers = {
    onBalance: vi.fn(),
    onBalanceUnknown: vi.fn(),
    onEnded: vi.fn(),
    onRefused: vi.fn(),
    onLate: vi.fn(),
  };
  const { result } = renderHook(() => useLiveRound(calls, handlers));
  await waitFor(() => expect(result.current.isReady).toBe(true));
  return { start, cashOut, handlers, result, phase: () => result.current.state.phase };
}

beforeEach(() => {
  vi.mocked(fetchOpenRounds).mockReset().mockResolvedValue(noOpenRounds);
  vi.mocked(fetchSettledRound).mockReset();
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});

afterEach(cleanup);

describe("a live round", () => {
  it("is started, cashed out, announced once and dismissed", async () => {
    const { start, cashOut, handlers, result, phase } = await setup();
    start.mockResolvedValue(crashRound(1));
    await act(() => result.current.start(BET));
    expect(phase()).toBe("playing");
    const paid = ended(1, { result: "cashed_out", cashoutMultiplier: 1.53, winAmount: "15.30", newBalance: "105.30" });
    cashOut.mockResolvedValue(paid);
    await act(() => result.current.cashOut(CLAIM));
    FakeSource.newest.says("crash", paid);
    expect(phase()).toBe("cashed_out");
    expect(handlers.onEnded.mock.calls).toEqual([[paid]]);
    expect(handlers.onBalance).toHaveBeenLastCalledWith(paid);
    act(() => result.current.reset());
    expect(phase()).toBe("idle");
  });

  it("crashes by an event, even one caused by another tab", async () => {
    const { handlers, phase } = await setup();
    FakeSource.newest.says("crash", crashRound(7));
    expect(phase()).toBe("playing");
    FakeSource.newest.says("crash", ended(7));
    expect(phase()).toBe("crashed");
    expect(handlers.onEnded).toHaveBeenCalledTimes(1);
  });

  it("is resumed after a reload", async () => {
    vi.mocked(fetchOpenRounds).mockResolvedValue({ ...noOpenRounds, crash: crashRound(9) });
    const { phase } = await setup();
    expect(phase()).toBe("playing");
  });

  it("keeps the balance after its end if it arrives once more as a round in play", async () => {
    const { handlers, phase } = await setup();
    FakeSource.newest.says("crash", crashRound(7));
    FakeSource.newest.says("crash", ended(7, { newBalance: "105.30" }));
    FakeSource.newest.says("crash", crashRound(7, { serverTimeMs: 3001 }));
    expect(phase()).toBe("crashed");
    expect(handlers.onBalance).toHaveBeenLastCalledWith(expect.objectContaining({ newBalance: "105.30" }));
  });

  it("takes a newer balance from the other game, but no older one", async () => {
    // The application does this for all of its games.
    liveEvents.on("stonks", vi.fn());
    const { handlers } = await setup();
    FakeSource.newest.says("stonks", ended(3, { serverTimeMs: 9000, newBalance: "70.00" }));
    FakeSource.newest.says("crash", ended(2, { serverTimeMs: 8000, newBalance: "80.00" }));
    expect(handlers.onBalance).toHaveBeenCalledTimes(1);
    expect(handlers.onBalance).toHaveBeenLastCalledWith(expect.objectContaining({ newBalance: "70.00" }));
  });
});

describe("a quiet start", () => {
  it("says what became of it, without messages", async () => {
    const { start, handlers, result } = await setup();
    start.mockRejectedValueOnce(new ApiError(422, "Too much", undefined));
    expect(await act(() => result.current.start(BET, { isQuiet: true }))).toEqual({
      kind: "refused",
      message: "Too much",
    });
    start.mockRejectedValueOnce(new ApiError(429, "Slow down", undefined));
    expect(await act(() => result.current.start(BET, { isQuiet: true }))).toEqual({
      kind: "later",
      message: "Slow down",
    });
    start.mockResolvedValueOnce(crashRound(4));
    expect(await act(() => result.current.start(BET, { isQuiet: true }))).toEqual({ kind: "started", roundId: 4 });
    const [, tooSoon, later] = start.mock.calls.map(([, key]) => key);
    expect(later).toBe(tooSoon);
    expect(await act(() => result.current.start(BET, { isQuiet: true }))).toMatchObject({ kind: "refused" });
    expect(start).toHaveBeenCalledTimes(3);
    expect(handlers.onRefused).not.toHaveBeenCalled();
  });

  it("finds the round of a lost answer among the open ones, and else keeps its key for the next attempt", async () => {
    const { start, result } = await setup();
    start.mockRejectedValue(new ApiError(503, "Unavailable", undefined));
    expect(await act(() => result.current.start(BET, { isQuiet: true }))).toEqual({ kind: "unknown" });
    vi.mocked(fetchOpenRounds).mockResolvedValue({ ...noOpenRounds, crash: crashRound(5) });
    expect(await act(() => result.current.start(BET, { isQuiet: true }))).toEqual({ kind: "started", roundId: 5 });
    expect(new Set(start.mock.calls.map(([, key]) => key)).size).toBe(1);
  });
});

/** A table at which a start was not answered. */
async function lost() {
  const table = await setup();
  table.start.mockRejectedValue(new ApiError(503, "Unavailable", undefined));
  expect(await act(() => table.result.current.start(BET, { isQuiet: true }))).toEqual({ kind: "unknown" });
  table.start.mockClear();
  return table;
}

describe("a retry of a start whose answer was lost", () => {
  const RETRY = { isQuiet: true, isRetry: true };
  it.each([
    ["is running", [crashRound(5)]],
    ["is over", [crashRound(5), ended(5)]],
  ])("finds the round that has become known since and %s, and places nothing", async (_, events) => {
    const { start, result } = await lost();
    for (const event of events) FakeSource.newest.says("crash", event);
    expect(await act(() => result.current.start(BET, RETRY))).toEqual({ kind: "started", roundId: 5 });
    expect(start).not.toHaveBeenCalled();
  });

  it("is sent while nothing is known, and a first start always is", async () => {
    const { start, result } = await lost();
    expect(await act(() => result.current.start(BET, RETRY))).toEqual({ kind: "unknown" });
    expect(start).toHaveBeenCalled();
    FakeSource.newest.says("crash", crashRound(5));
    FakeSource.newest.says("crash", ended(5));
    start.mockReset().mockResolvedValue(crashRound(6));
    expect(await act(() => result.current.start(BET, { isQuiet: true }))).toEqual({ kind: "started", roundId: 6 });
  });
});

it("adds the payout to the balance of a round whose end was missed", async () => {
  const { handlers, result } = await setup();
  FakeSource.newest.says("crash", crashRound(6, { newBalance: "90.00", winAmount: "15.00" }));
  vi.mocked(fetchSettledRound).mockResolvedValue({
    crash: { crashPoint: 1.2 },
  } as Awaited<ReturnType<typeof fetchSettledRound>>);
  await act(() => result.current.sync());
  expect(handlers.onEnded).toHaveBeenCalledWith(expect.objectContaining({ roundId: 6, newBalance: "105.00" }));
});

describe("failures", () => {
  it("return to idle if the start is refused, and show the open round", async () => {
    const { start, handlers, result, phase } = await setup();
    start.mockRejectedValue(new ApiError(422, "Too much", undefined));
    await act(() => result.current.start(BET));
    expect(phase()).toBe("idle");
    expect(handlers.onRefused).toHaveBeenCalledWith("Error starting game", "Too much");
    vi.mocked(fetchOpenRounds).mockResolvedValue({ ...noOpenRounds, crash: crashRound(5) });
    start.mockRejectedValue(new ApiError(409, "A round is open", undefined));
    await act(() => result.current.start(BET));
    expect(phase()).toBe("playing");
  });

  it("let the round continue if the cash-out is refused", async () => {
    const { cashOut, handlers, result } = await setup();
    FakeSource.newest.says("crash", crashRound(1));
    vi.mocked(fetchOpenRounds).mockResolvedValue({ ...noOpenRounds, crash: crashRound(1) });
    cashOut.mockRejectedValue(new ApiError(429, "Slow down", undefined));
    await act(() => result.current.cashOut(CLAIM));
    expect(handlers.onRefused).toHaveBeenCalledWith("Error cashing out", "Slow down");
    expect(result.current.state).toMatchObject({ phase: "playing", isCashingOut: false });
  });

  it("say nothing of a cash-out after an end that is already shown", async () => {
    const { cashOut, handlers, result, phase } = await setup();
    FakeSource.newest.says("crash", crashRound(1));
    cashOut.mockImplementation(() => {
      FakeSource.newest.says("crash", ended(1));
      return Promise.reject(new ApiError(409, "Too late", undefined));
    });
    await act(() => result.current.cashOut(CLAIM));
    expect(phase()).toBe("crashed");
    expect(handlers.onRefused).not.toHaveBeenCalled();
  });

  it("say by the server's times how late a cash-out was, before and after the end is shown", async () => {
    const { cashOut, handlers, result } = await setup();
    const late = { roundId: 1, lateByMs: 640, crashPoint: 1.24, claimedMultiplier: 1.16 };
    FakeSource.newest.says("crash", crashRound(1));
    vi.mocked(fetchOpenRounds).mockResolvedValue({ ...noOpenRounds, crash: crashRound(1) });
    cashOut.mockRejectedValue(new ApiError(409, "The round is already over", late));
    await act(() => result.current.cashOut(CLAIM));
    expect(handlers.onLate).toHaveBeenLastCalledWith(late, expect.objectContaining({ roundId: 1 }), false);
    cashOut.mockImplementation(() => {
      FakeSource.newest.says("crash", ended(1));
      return Promise.reject(new ApiError(409, "The round is already over", late));
    });
    await act(() => result.current.cashOut(CLAIM));
    expect(handlers.onLate).toHaveBeenLastCalledWith(late, expect.objectContaining({ roundId: 1 }), true);
    expect(handlers.onRefused).not.toHaveBeenCalled();
  });

  it("are resolved after a reconnection by loading how the round ended", async () => {
    const { handlers, phase } = await setup();
    FakeSource.newest.says("crash", crashRound(1));
    vi.mocked(fetchSettledRound).mockResolvedValue({ crash: { crashPoint: 1.31 } } as Awaited<
      ReturnType<typeof fetchSettledRound>
    >);
    FakeSource.newest.opens();
    await waitFor(() => expect(phase()).toBe("crashed"));
    expect(handlers.onEnded).toHaveBeenCalledWith(expect.objectContaining({ crashPoint: 1.31 }));
    expect(handlers.onBalanceUnknown).toHaveBeenCalledTimes(1);
  });

  it("do not mistake older open rounds for the end of the round", async () => {
    const { phase } = await setup();
    FakeSource.newest.says("crash", crashRound(1, { startedAtMs: 5000 }));
    FakeSource.newest.opens();
    await act(async () => undefined);
    expect(phase()).toBe("playing");
    expect(fetchSettledRound).not.toHaveBeenCalled();
  });
});

it("make it poll the open rounds while no events arrive", async () => {
  const { phase } = await setup();
  FakeSource.newest.opens();
  FakeSource.newest.says("crash", crashRound(1));
  vi.useFakeTimers();
  FakeSource.newest.readyState = 0;
  act(() => void FakeSource.newest.dispatchEvent(new Event("error")));
  vi.mocked(fetchOpenRounds).mockClear();
  vi.mocked(fetchSettledRound).mockResolvedValue({ crash: { crashPoint: 1.31 } } as Awaited<
    ReturnType<typeof fetchSettledRound>
  >);
  await act(() => vi.advanceTimersByTimeAsync(2000));
  vi.useRealTimers();
  expect(fetchOpenRounds).toHaveBeenCalledTimes(1);
  expect(phase()).toBe("crashed");
});

it("starts one round even on repeated clicks", async () => {
  const { start, result } = await setup();
  start.mockResolvedValue(crashRound(1));
  await act(async () => {
    await Promise.all([result.current.start(BET), result.current.start(BET)]);
    await result.current.start(BET);
  });
  expect(start).toHaveBeenCalledTimes(1);
});
