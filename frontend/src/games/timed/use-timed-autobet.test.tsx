import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api/client";
import { fetchOpenRounds } from "@/games/rounds/api";
import { FakeSource } from "@/test-support/event-source";
import { openRounds } from "@/test-support/open-rounds";
import { crashRound } from "@/test-support/rounds";
import { useRoundEnds } from "./round-ends";
import type { TimedGameSpec } from "./timed-game-spec";
import { useLiveRound } from "./use-live-round";
import { useTimedAutobet } from "./use-timed-autobet";

vi.mock("@/api/session", () => ({ useSession: () => ({ user: { id: 7 }, refresh: vi.fn() }) }));
vi.mock("@/games/rounds/api", () => ({ fetchOpenRounds: vi.fn(), fetchSettledRound: vi.fn() }));
vi.stubGlobal("EventSource", FakeSource);

type Round = ReturnType<typeof crashRound>;
type Form = { amount: string };
type Spec = TimedGameSpec<Round, Form, Form, object, Record<string, null>>;

const FORM: Form = { amount: "10.00" };
const LIMITS = { minimumCents: 1, maximumCents: 100_000, balanceCents: 10_000 };
const ended = (id: number) => crashRound(id, { result: "crashed", crashPoint: 1.2, serverTimeMs: 3000 });
const start = vi.fn<(bet: Form, key: string) => Promise<Round>>();

// Only what autobet needs of a game.
const spec = {
  refuseStart: () => null,
  startOf: (form: Form) => form,
  ending: () => ({ isWin: false }),
} as unknown as Spec;
const calls = { game: "crash", openOf: () => null, settledFrom: () => null, start, cashOut: vi.fn() } as const;

function useTable() {
  const ends = useRoundEnds<Round>();
  const live = useLiveRound<Round, Form, object>(calls, {
    onBalance: () => undefined,
    onBalanceUnknown: () => undefined,
    onEnded: (round) => void ends.note(round),
    onRefused: () => undefined,
    onLate: () => undefined,
  });
  const autobet = useTimedAutobet(spec, { form: FORM, limits: LIMITS, isPaused: false, ends, start: live.start });
  return { autobet, ends };
}

const pass = (ms: number) =>
  act(async () => {
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(ms);
  });

/** A run of one round whose start was sent in vain three times, and waits to be sent again. */
async function lost() {
  const { result } = renderHook(useTable);
  await pass(0);
  start.mockRejectedValue(new ApiError(503, "Unavailable", undefined));
  act(() => result.current.autobet.setForm({ ...result.current.autobet.form, rounds: "1" }));
  act(() => result.current.autobet.start(1000));
  await pass(0);
  await pass(1600);
  expect(start).toHaveBeenCalledTimes(3);
  expect(result.current.autobet.run).toMatchObject({ phase: "paused", totals: { rounds: 0 } });
  // From now on the server would take the bet.
  start.mockReset().mockResolvedValue(crashRound(6));
  return result;
}
const PLAYED_ONCE = { phase: "stopped", stop: { kind: "rounds" }, totals: { rounds: 1, losses: 1, stakedCents: 1000 } };

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(fetchOpenRounds).mockResolvedValue(openRounds({ serverTimeMs: 2000 }));
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  start.mockReset();
});

it("waits for the end of a round whose answer was lost once it is known, and counts it", async () => {
  const result = await lost();
  act(() => FakeSource.newest.says("crash", crashRound(5)));
  await pass(1000);
  expect(result.current.autobet.run).toMatchObject({ phase: "running", totals: { rounds: 0 } });
  act(() => FakeSource.newest.says("crash", ended(5)));
  await pass(0);
  expect(result.current.autobet.run).toMatchObject(PLAYED_ONCE);
  expect(start).not.toHaveBeenCalled();
});

it("counts a round whose answer was lost and that is over before the retry, and places no second bet", async () => {
  const result = await lost();
  act(() => FakeSource.newest.says("crash", crashRound(5)));
  act(() => FakeSource.newest.says("crash", ended(5)));
  await pass(1000);
  expect(result.current.autobet.run).toMatchObject(PLAYED_ONCE);
  expect(start).not.toHaveBeenCalled();
});

it("no longer claims rounds once a run has ended without knowing its last one", async () => {
  const result = await lost();
  act(() => result.current.autobet.stop());
  await pass(0);
  expect(result.current.autobet.run).toMatchObject({ stop: { kind: "unknown" } });
  expect(result.current.ends.note(crashRound(5))).toBe(false);
});
