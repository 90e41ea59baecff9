import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { deferred } from "@/test-support/deferred";
import type { Plan, StopReason } from "./rules";
import { AutobetRun, type BetResult, type BetTable, RETRY_WAITS_MS, type RunState } from "./run";

const PLAN: Plan = {
  baseStakeCents: 100,
  rounds: null,
  onWin: { kind: "reset" },
  onLoss: { kind: "increase", percentHundredths: 10_000 },
  stopOnProfitCents: null,
  stopOnLossCents: null,
  stopBelowBalanceCents: null,
  stopAboveBalanceCents: null,
};

type End = "won" | "lost" | "unknown" | "refused" | "later";

/** A table on which the test decides each round; the balance follows from them. */
class Table implements BetTable {
  readonly stakes: number[] = [];
  balanceCents: number;
  pauseText: string | null = null;
  closedBy: StopReason | null = null;
  resumeStop: StopReason | null = null;
  #listeners = new Set<() => void>();
  readonly #rounds: End[];

  constructor(balanceCents: number, ...rounds: End[]) {
    this.balanceCents = balanceCents;
    this.#rounds = rounds;
  }
  async place(stakeCents: number): Promise<BetResult> {
    this.stakes.push(stakeCents);
    const end = this.#rounds.shift() ?? "lost";
    if (end === "unknown") return { kind: "unknown" };
    if (end === "later") return { kind: "later", message: "Too many requests." };
    if (end === "refused") return { kind: "refused", message: "This game is paused at the moment." };
    const payoutCents = end === "won" ? stakeCents * 2 : 0;
    this.balanceCents += payoutCents - stakeCents;
    return { kind: "settled", stakeCents, payoutCents, isWin: end === "won", balanceCents: this.balanceCents };
  }
  limits = () => ({ minimumCents: 100, maximumCents: 1000 });
  closed = () => this.closedBy;
  pause = () => this.pauseText;
  resume = async () => this.resumeStop;
  gapMs = () => 0;
  onPauseChange(listener: () => void) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  setPause(text: string | null) {
    this.pauseText = text;
    for (const listener of this.#listeners) listener();
  }
}

async function played(plan: Partial<Plan>, table: Table): Promise<RunState> {
  const run = new AutobetRun({ ...PLAN, ...plan }, table, table.balanceCents, () => undefined);
  await run.play();
  return run.state;
}

describe("a run", () => {
  it("plays the wanted rounds with stakes that follow the results", async () => {
    const table = new Table(10_000, "lost", "lost", "won", "lost");
    const { stop, totals } = await played({ rounds: 4 }, table);
    expect(table.stakes).toEqual([100, 200, 400, 100]);
    expect(stop).toEqual({ kind: "rounds", rounds: 4 });
    expect(totals).toEqual({ rounds: 4, wins: 1, losses: 3, stakedCents: 800, profitCents: 0 });
  });

  it.each([
    ["profit", { stopOnProfitCents: 100 }, new Table(10_000, "won"), 1],
    ["loss", { stopOnLossCents: 300 }, new Table(10_000, "lost", "lost"), 2],
    ["balance-below", { stopBelowBalanceCents: 9900 }, new Table(10_000, "lost", "lost"), 2],
    ["balance-above", { stopAboveBalanceCents: 10_000 }, new Table(10_000, "won"), 1],
    ["above-maximum", {}, new Table(10_000, "lost", "lost", "lost", "lost"), 4],
    ["above-balance", {}, new Table(350, "lost", "lost"), 2],
    ["below-minimum", { baseStakeCents: 99 }, new Table(10_000), 0],
    ["refused", {}, new Table(10_000, "won", "refused"), 2],
  ] as const)("ends with the reason %s", async (kind, plan, table, bets) => {
    const { stop, phase } = await played(plan, table);
    expect(phase).toBe("stopped");
    expect(stop).toMatchObject({ kind });
    expect(table.stakes).toHaveLength(bets);
  });

  it("places no bet if a limit is reached before the first one", async () => {
    const table = new Table(10_000);
    expect((await played({ stopBelowBalanceCents: 20_000 }, table)).stop).toMatchObject({ kind: "balance-below" });
    expect(table.stakes).toEqual([]);
  });

  it("ends when the game closes", async () => {
    const table = new Table(10_000);
    table.closedBy = { kind: "closed" };
    expect((await played({}, table)).stop).toEqual({ kind: "closed" });
    expect(table.stakes).toEqual([]);
  });
});

describe("a bet without an answer", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is repeated with the same stake until its result is known, and counted once", async () => {
    const table = new Table(10_000, "lost", "unknown", "unknown", "won");
    const run = new AutobetRun({ ...PLAN, rounds: 2 }, table, 10_000, () => undefined);
    const end = run.play();
    await vi.advanceTimersByTimeAsync(0);
    expect(run.state).toMatchObject({ phase: "paused", totals: { rounds: 1 } });
    await vi.advanceTimersByTimeAsync(3000);
    await end;
    expect(table.stakes).toEqual([100, 200, 200, 200]);
    expect(run.state).toMatchObject({ stop: { kind: "rounds" }, totals: { rounds: 2, stakedCents: 300 } });
  });

  it("ends the run if its result stays unknown", async () => {
    const table = new Table(10_000, ...RETRY_WAITS_MS.map(() => "unknown" as const), "unknown");
    const run = new AutobetRun(PLAN, table, 10_000, () => undefined);
    const end = run.play();
    await vi.runAllTimersAsync();
    await end;
    expect(table.stakes).toHaveLength(RETRY_WAITS_MS.length + 1);
    expect(run.state.stop).toEqual({ kind: "unknown", stakeCents: 100 });
  });

  it.each(["refused", "later"] as const)("stays unknown if its retry is %s", async (result) => {
    const table = new Table(10_000, "unknown", ...RETRY_WAITS_MS.map(() => result));
    const run = new AutobetRun(PLAN, table, 10_000, () => undefined);
    const end = run.play();
    await vi.runAllTimersAsync();
    await end;
    expect(run.state).toMatchObject({ stop: { kind: "unknown", stakeCents: 100 }, totals: { rounds: 0 } });
  });

  it("is no reason to doubt a later refusal", async () => {
    const table = new Table(10_000, "unknown", "lost", "refused");
    const run = new AutobetRun(PLAN, table, 10_000, () => undefined);
    const end = run.play();
    await vi.runAllTimersAsync();
    await end;
    expect(run.state.stop).toMatchObject({ kind: "refused" });
  });

  it("ends as unknown if the player stops before it is answered", async () => {
    const table = new Table(10_000, "unknown");
    const run = new AutobetRun(PLAN, table, 10_000, () => undefined);
    const end = run.play();
    await vi.advanceTimersByTimeAsync(0);
    run.stop({ kind: "player" });
    await end;
    expect(run.state.stop).toEqual({ kind: "unknown", stakeCents: 100 });
    expect(table.stakes).toHaveLength(1);
  });
});

const busy = () => new Table(10_000, ...RETRY_WAITS_MS.map(() => "later" as const), "later");

describe("a bet that comes too soon", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is placed later", async () => {
    const table = new Table(10_000, "later", "won");
    const run = new AutobetRun({ ...PLAN, rounds: 1 }, table, 10_000, () => undefined);
    const end = run.play();
    await vi.advanceTimersByTimeAsync(0);
    expect(run.state).toMatchObject({ phase: "paused", pause: "Too many requests." });
    await vi.advanceTimersByTimeAsync(1000);
    await end;
    expect(run.state).toMatchObject({ stop: { kind: "rounds" }, totals: { rounds: 1 } });
  });

  it("ends the run with the server's reason in the end, or with the player's", async () => {
    const run = new AutobetRun(PLAN, busy(), 10_000, () => undefined);
    const end = run.play();
    await vi.runAllTimersAsync();
    await end;
    expect(run.state.stop).toEqual({ kind: "refused", message: "Too many requests." });
    const stopped = new AutobetRun(PLAN, busy(), 10_000, () => undefined);
    const endOfStopped = stopped.play();
    await vi.advanceTimersByTimeAsync(0);
    stopped.stop({ kind: "player" });
    await endOfStopped;
    expect(stopped.state.stop).toEqual({ kind: "player" });
  });
});

describe("a pause", () => {
  it("lasts until its reason is gone", async () => {
    const table = new Table(10_000, "won");
    table.pauseText = "This tab is in the background.";
    const run = new AutobetRun({ ...PLAN, rounds: 1 }, table, 10_000, () => undefined);
    const end = run.play();
    expect(run.state).toMatchObject({ phase: "paused", pause: "This tab is in the background." });
    table.setPause("You are offline.");
    await Promise.resolve();
    await Promise.resolve();
    expect(run.state).toMatchObject({ phase: "paused", pause: "You are offline." });
    expect(table.stakes).toEqual([]);
    table.setPause(null);
    await end;
    expect(run.state.stop).toEqual({ kind: "rounds", rounds: 1 });
  });

  it("ends the run if the player is another one afterwards", async () => {
    const table = new Table(10_000);
    table.pauseText = "This tab is in the background.";
    table.resumeStop = { kind: "session" };
    const run = new AutobetRun(PLAN, table, 10_000, () => undefined);
    const end = run.play();
    table.setPause(null);
    await end;
    expect(run.state.stop).toEqual({ kind: "session" });
    expect(table.stakes).toEqual([]);
  });

  it("ends when the player stops", async () => {
    const table = new Table(10_000);
    table.pauseText = "You are offline.";
    const run = new AutobetRun(PLAN, table, 10_000, () => undefined);
    const end = run.play();
    run.stop({ kind: "player" });
    await end;
    expect(run.state.stop).toEqual({ kind: "player" });
    expect(table.stakes).toEqual([]);
  });
});

describe("a stop", () => {
  it("lets the round in play end and counts it", async () => {
    const table = new Table(10_000);
    const result = deferred<BetResult>();
    table.place = () => result.promise;
    const run = new AutobetRun(PLAN, table, 10_000, () => undefined);
    const end = run.play();
    await Promise.resolve();
    await Promise.resolve();
    run.stop({ kind: "player" });
    expect(run.state.phase).toBe("stopping");
    result.resolve({ kind: "settled", stakeCents: 100, payoutCents: 0, isWin: false, balanceCents: 9900 });
    await end;
    expect(run.state).toMatchObject({ phase: "stopped", stop: { kind: "player" }, totals: { rounds: 1 } });
  });

  it("is immediate when the player leaves, and later results change nothing", async () => {
    const table = new Table(10_000);
    const result = deferred<BetResult>();
    table.place = () => result.promise;
    const run = new AutobetRun(PLAN, table, 10_000, () => undefined);
    const end = run.play();
    await Promise.resolve();
    await Promise.resolve();
    run.abandon({ kind: "left" });
    expect(run.state).toMatchObject({ phase: "stopped", stop: { kind: "left" } });
    // The round's end is not waited for.
    await end;
    result.resolve({ kind: "settled", stakeCents: 100, payoutCents: 0, isWin: false, balanceCents: 9900 });
    await Promise.resolve();
    expect(run.state).toMatchObject({ stop: { kind: "left" }, totals: { rounds: 0 } });
  });
});
