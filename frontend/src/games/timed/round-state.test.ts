import { describe, expect, it } from "vitest";
import { round } from "@/test-support/rounds";
import type { LiveRound, RoundResult } from "./api";
import { isOver, type LiveAction, type LiveState, nextState, roundOf } from "./round-state";

const IDLE: LiveState<LiveRound> = { phase: "idle", seenId: 0 };
const run = (...actions: LiveAction<LiveRound>[]) =>
  actions.reduce<LiveState<LiveRound>>((state, action) => nextState(state, action), IDLE);
const says = (roundId: number, result: RoundResult = "playing") =>
  ({ type: "round", round: round(roundId, result) }) as const;

describe("a round", () => {
  it("goes from idle through starting and playing to its end, and back", () => {
    expect(run({ type: "start" }).phase).toBe("starting");
    expect(run({ type: "start" }, says(1)).phase).toBe("playing");
    expect(run({ type: "start" }, says(1), says(1, "crashed")).phase).toBe("crashed");
    const sold = run({ type: "start" }, says(1), { type: "cash-out" }, says(1, "cashed_out"));
    expect(sold.phase).toBe("cashed_out");
    expect(nextState(sold, { type: "reset" })).toEqual({ phase: "idle", seenId: 1 });
    expect(nextState(sold, { type: "start" })).toEqual({ phase: "starting", seenId: 1 });
  });

  it("returns to idle if starting fails, and continues if cashing out fails", () => {
    expect(run({ type: "start" }, { type: "start-failed" })).toEqual(IDLE);
    expect(run(says(1), { type: "cash-out" })).toMatchObject({ phase: "playing", isCashingOut: true });
    expect(run(says(1), { type: "cash-out" }, { type: "cash-out-failed" })).toMatchObject({
      phase: "playing",
      isCashingOut: false,
    });
  });

  it("can end with the response to its start", () => {
    expect(run({ type: "start" }, says(1, "crashed")).phase).toBe("crashed");
  });

  it("can start, end and start again in another tab", () => {
    expect(run(says(4)).phase).toBe("playing");
    expect(run(says(4), says(4, "cashed_out"), says(5))).toMatchObject({ phase: "playing", round: { roundId: 5 } });
    expect(run(says(4), says(5))).toMatchObject({ phase: "playing", round: { roundId: 5 } });
  });
});

describe("late messages", () => {
  it("do not undo an end", () => {
    expect(run(says(1, "crashed"), says(1)).phase).toBe("crashed");
    expect(run(says(1, "crashed"), says(1, "cashed_out")).phase).toBe("crashed");
  });

  it("do not bring back a dismissed or an older round", () => {
    expect(run(says(3, "crashed"), { type: "reset" }, says(3, "crashed"))).toEqual({ phase: "idle", seenId: 3 });
    expect(run(says(3, "crashed"), { type: "start" }, says(3)).phase).toBe("starting");
    expect(run(says(3), says(2, "crashed"))).toMatchObject({ phase: "playing", round: { roundId: 3 } });
  });

  it("keep a pending cash-out when the same round arrives again", () => {
    expect(run(says(1), { type: "cash-out" }, says(1))).toMatchObject({ isCashingOut: true });
    expect(run(says(1), { type: "cash-out" }, says(2))).toMatchObject({ isCashingOut: false });
  });
});

it("are ignored if they do not fit", () => {
  const playing = run(says(1));
  for (const type of ["start", "start-failed", "reset", "cash-out-failed"] as const) {
    expect(nextState(playing, { type })).toMatchObject({ phase: "playing", isCashingOut: false });
  }
  for (const type of ["cash-out", "reset", "start-failed"] as const) expect(nextState(IDLE, { type })).toBe(IDLE);
  expect(isOver(playing)).toBe(false);
  expect(roundOf(playing)?.roundId).toBe(1);
  expect(roundOf(IDLE)).toBeNull();
});
