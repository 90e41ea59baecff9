import { describe, expect, it } from "vitest";
import { pokerHand, settledRound, wonHand } from "@/test-support/hands";
import { type GameAction, type GameState, INITIAL, MESSAGES, nextState, resultOf } from "./state";

const after = (...actions: GameAction[]): GameState => actions.reduce(nextState, INITIAL);
const dealt: GameAction[] = [{ type: "deal" }, { type: "dealt", hand: pokerHand(1) }];

describe("the stages", () => {
  it("start idle, with the message that asks for a bet", () => {
    expect(INITIAL).toMatchObject({
      stage: "IDLE",
      hand: null,
      message: "Place your bet and deal to start a new game",
    });
  });

  it("go from deal to draw to result and back", () => {
    expect(after({ type: "deal" })).toMatchObject({
      stage: "DEALING",
      hand: null,
      held: [],
      message: "Dealing cards...",
    });
    expect(after(...dealt)).toMatchObject({ stage: "DRAW", message: "Choose the cards to hold." });
    expect(after(...dealt, { type: "draw" })).toMatchObject({ stage: "DRAWING", message: "Drawing new cards..." });
    const over = after(...dealt, { type: "draw" }, { type: "drawn", hand: wonHand(1) });
    expect(over).toMatchObject({ stage: "RESULT", held: [2, 3] });
    expect(nextState(over, { type: "new-game" })).toEqual(INITIAL);
  });

  it("return to the previous stage if a request fails", () => {
    expect(after({ type: "deal" }, { type: "deal-failed" })).toEqual({
      ...INITIAL,
      message: "Error dealing cards. Please try again.",
    });
    const failed = after(...dealt, { type: "toggle", index: 2 }, { type: "draw" }, { type: "draw-failed" });
    expect(failed).toMatchObject({ stage: "DRAW", held: [2], message: "Error drawing cards. Please try again." });
  });

  it("allow no draw while a hold is pending, and no deal while a hand is open", () => {
    expect(after(...dealt, { type: "hold-sent" }, { type: "draw" }).stage).toBe("DRAW");
    expect(after(...dealt, { type: "deal" })).toEqual(after(...dealt));
  });

  it("drop a replayed deal if its hand is already over", () => {
    expect(after({ type: "deal" }, { type: "dealt", hand: wonHand(1) })).toEqual(INITIAL);
  });
});

const toggle = (index: number): GameAction => ({ type: "toggle", index });

describe("a hold", () => {
  it("is toggled at once, in order", () => {
    expect(after(...dealt, toggle(4), toggle(0)).held).toEqual([0, 4]);
    expect(after(...dealt, toggle(4), toggle(0), toggle(4)).held).toEqual([0]);
  });

  it("is confirmed once its request has finished, successfully or not", () => {
    expect(after(...dealt, toggle(1), { type: "hold-sent" }, { type: "hold-ended" })).toMatchObject({
      stage: "DRAW",
      isHolding: false,
      message: MESSAGES.held,
    });
  });

  it("is ignored outside DRAW, while a request is pending, and beyond the hand", () => {
    for (const before of [
      [],
      [{ type: "deal" }],
      [...dealt, { type: "draw" }],
      [...dealt, { type: "hold-sent" }],
    ] as GameAction[][]) {
      expect(after(...before, toggle(1))).toEqual(after(...before));
    }
    for (const index of [5, -1]) expect(after(...dealt, toggle(index))).toEqual(after(...dealt));
  });
});

const found = (roundId: number, heldIndexes: number[] = []): GameAction => ({
  type: "found",
  hand: pokerHand(roundId, { heldIndexes }),
});

describe("a hand in play that was loaded", () => {
  it("is resumed, including its holds", () => {
    expect(after(found(7, [1, 3]))).toMatchObject({ stage: "DRAW", held: [1, 3], message: MESSAGES.held });
  });

  it("replaces an older result, but not its own", () => {
    const over = after(...dealt, { type: "draw" }, { type: "drawn", hand: wonHand(1) });
    expect(nextState(over, found(1))).toBe(over);
    expect(nextState(over, found(2))).toMatchObject({ stage: "DRAW", hand: { roundId: 2 } });
  });

  it("changes nothing that is already known", () => {
    const known = after(...dealt);
    expect(nextState(known, found(1))).toBe(known);
    expect(nextState(known, found(1, [0])).held).toEqual([0]);
    const drawing = nextState(known, { type: "draw" });
    expect(nextState(drawing, found(1, [0]))).toBe(drawing);
  });
});

it("reconstructs a hand that ended elsewhere from its details", () => {
  const { hand, handRank } = wonHand(1);
  const poker = { dealt: hand, heldIndexes: [2, 3], hand, handRank, isMaxBet: false, multiplier: 1 };
  expect(resultOf(pokerHand(1), settledRound(1, { poker, winAmount: "5.00" }))).toMatchObject({
    stage: "RESULT",
    isWin: true,
    winAmount: "5.00",
    heldIndexes: [2, 3],
  });
  expect(resultOf(pokerHand(1), settledRound(1, { poker: { ...poker, multiplier: 0 } }))).toMatchObject({
    stage: "RESULT",
    isWin: false,
  });
  expect(resultOf(pokerHand(1), settledRound(1, {}))).toBeNull();
});
