import { describe, expect, it } from "vitest";
import { EMPTY_FORM } from "./empty-form";
import { checkForm, planOf } from "./form";
import {
  increasedRoundingHalfUp,
  limitReached,
  nextStakeCents,
  NO_ROUNDS,
  type Plan,
  reasonText,
  refuseStake,
  totalsAfter,
} from "./rules";

const PLAN: Plan = {
  baseStakeCents: 100,
  rounds: null,
  onWin: { kind: "keep" },
  onLoss: { kind: "keep" },
  stopOnProfitCents: null,
  stopOnLossCents: null,
  stopBelowBalanceCents: null,
  stopAboveBalanceCents: null,
};

describe("the next stake", () => {
  it.each([
    [100, 10_000, 200],
    [1, 4999, 1],
    [1, 5000, 2],
    [3, 1000, 3],
    [5, 1000, 6],
    [333, 1, 333],
    [100_000, 100_000, 1_100_000],
    [15, 3333, 20],
  ])("%i cents increased by %i hundredths of a percent is %i cents", (stake, percent, expected) => {
    expect(increasedRoundingHalfUp(stake, percent)).toBe(expected);
  });

  it("keeps, resets or increases, separately after a win and after a loss", () => {
    const plan: Plan = { ...PLAN, onWin: { kind: "reset" }, onLoss: { kind: "increase", percentHundredths: 10_000 } };
    expect(nextStakeCents(plan, 400, true)).toBe(100);
    expect(nextStakeCents(plan, 400, false)).toBe(800);
    expect(nextStakeCents(PLAN, 400, true)).toBe(400);
    expect(nextStakeCents(PLAN, 400, false)).toBe(400);
  });

  it("is refused outside the limits, and never replaced by another", () => {
    const limits = { minimumCents: 100, maximumCents: 1000, balanceCents: 500 };
    expect(refuseStake(100, limits)).toBeNull();
    expect(refuseStake(500, limits)).toBeNull();
    expect(refuseStake(99, limits)).toEqual({ kind: "below-minimum", stakeCents: 99, limitCents: 100 });
    expect(refuseStake(501, limits)).toEqual({ kind: "above-balance", stakeCents: 501, limitCents: 500 });
    expect(refuseStake(1001, limits)).toEqual({ kind: "above-maximum", stakeCents: 1001, limitCents: 1000 });
  });
});

describe("the limits", () => {
  const won = totalsAfter(NO_ROUNDS, { stakeCents: 100, payoutCents: 198, isWin: true });
  const lost = totalsAfter(NO_ROUNDS, { stakeCents: 100, payoutCents: 0, isWin: false });

  it("adds up the rounds", () => {
    expect(totalsAfter(won, { stakeCents: 250, payoutCents: 0, isWin: false })).toEqual({
      rounds: 2,
      wins: 1,
      losses: 1,
      stakedCents: 350,
      profitCents: -152,
    });
  });

  it.each([
    ["rounds", { rounds: 1 }, won, 1000],
    ["profit", { stopOnProfitCents: 98 }, won, 1000],
    ["loss", { stopOnLossCents: 100 }, lost, 1000],
    ["balance-below", { stopBelowBalanceCents: 1001 }, won, 1000],
    ["balance-above", { stopAboveBalanceCents: 999 }, won, 1000],
  ] as const)("ends at the limit %s", (kind, change, totals, balanceCents) => {
    expect(limitReached({ ...PLAN, ...change }, totals, balanceCents)).toMatchObject({ kind });
  });

  it.each([
    [{ rounds: 2 }, won],
    [{ stopOnProfitCents: 99 }, won],
    [{ stopOnLossCents: 101 }, lost],
    [{ stopOnLossCents: 1 }, won],
    [{ stopOnProfitCents: 1 }, lost],
    [{ stopBelowBalanceCents: 1000 }, won],
    [{ stopAboveBalanceCents: 1000 }, won],
    [{}, lost],
  ])("does not end before %j", (change, totals) => {
    expect(limitReached({ ...PLAN, ...change }, totals, 1000)).toBeNull();
  });
});

describe("the form", () => {
  it("describes a plan without limits when it is empty", () => {
    expect(planOf(EMPTY_FORM, 100)).toEqual(PLAN);
  });

  it("is read exactly", () => {
    const form = {
      rounds: "10",
      onWin: { kind: "reset", percent: "" },
      onLoss: { kind: "increase", percent: "12.5" },
      stopOnProfit: "20",
      stopOnLoss: "0.01",
      stopBelowBalance: "50.5",
      stopAboveBalance: "100.00",
    } as const;
    expect(planOf(form, 250)).toEqual({
      baseStakeCents: 250,
      rounds: 10,
      onWin: { kind: "reset" },
      onLoss: { kind: "increase", percentHundredths: 1250 },
      stopOnProfitCents: 2000,
      stopOnLossCents: 1,
      stopBelowBalanceCents: 5050,
      stopAboveBalanceCents: 10_000,
    });
  });

  it.each([
    ["rounds", { rounds: "0" }],
    ["rounds", { rounds: "1.5" }],
    ["rounds", { rounds: "1000001" }],
    ["onWin", { onWin: { kind: "increase", percent: "" } }],
    ["onLoss", { onLoss: { kind: "increase", percent: "0" } }],
    ["onLoss", { onLoss: { kind: "increase", percent: "1000.01" } }],
    ["stopOnProfit", { stopOnProfit: "0" }],
    ["stopOnLoss", { stopOnLoss: "-1" }],
    ["stopBelowBalance", { stopBelowBalance: "1,5" }],
    ["stopAboveBalance", { stopAboveBalance: "9999999999999" }],
  ] as const)("refuses %s in %j", (field, change) => {
    const form = { ...EMPTY_FORM, ...change };
    expect(Object.keys(checkForm(form))).toEqual([field]);
    expect(planOf(form, 100)).toBeNull();
  });
});

it("says why it ended", () => {
  expect(reasonText({ kind: "rounds", rounds: 10 })).toBe("All 10 rounds were played.");
  expect(reasonText({ kind: "profit", limitCents: 500 })).toBe("The profit has reached $5.00.");
  expect(reasonText({ kind: "above-maximum", stakeCents: 120_000, limitCents: 100_000 })).toBe(
    "The next bet of $1,200.00 is above the maximum of $1,000.00.",
  );
  expect(reasonText({ kind: "refused", message: "Not logged in" })).toBe("The bet was refused: Not logged in.");
});
