import { describe, expect, it } from "vitest";
import { pathScene } from "@/components/chart";
import { stonksRound } from "@/test-support/rounds";
import { DEFAULT_FORM, ending, formOf, openProfit, profitCents, refuseStart, startOf, worthAt } from "./rules";
import { PricePath } from "./price-path";
import { endScene } from "./use-stonks-frames";

const limits = { balanceCents: 200_000, minimumCents: 1, maximumCents: 100_000 };

describe("validation of a round", () => {
  const autoSell = ["Invalid Auto-Sell Amount", "Auto-sell amount must be greater than your bet amount"] as const;
  const cases: [string, Partial<typeof DEFAULT_FORM>, string, string][] = [
    ["for nothing", { amount: "0" }, "Invalid Bet", "Bet amount must be greater than 0"],
    [
      "above the balance",
      { amount: "2000.01" },
      "Insufficient Balance",
      "You don't have enough funds to place this bet",
    ],
    ["above the limit", { amount: "1000.01" }, "Bet Exceeds Limit", "Maximum allowed is $1,000.00"],
    ["for a target that is the bet", { target: "10" }, ...autoSell],
    ["for a target below the bet", { target: "9.99" }, ...autoSell],
    ["for a target that is no amount", { target: "much" }, ...autoSell],
    [
      "for the amount before the target",
      { amount: "0", target: "-1" },
      "Invalid Bet",
      "Bet amount must be greater than 0",
    ],
  ];
  it.each(cases)("%s", (_, change, title, description) => {
    expect(refuseStart({ ...DEFAULT_FORM, ...change }, limits)).toEqual({ title, description });
  });

  it("accepts the limits", () => {
    for (const change of [{}, { amount: "0.01" }, { amount: "1000" }, { target: "10.01" }, { target: " " }])
      expect(refuseStart({ ...DEFAULT_FORM, ...change }, limits)).toBeNull();
  });
});

it("is sent in the server's format, and shown as it was sent", () => {
  expect(startOf(DEFAULT_FORM)).toEqual({ betAmount: "10.00", autoCashoutProfit: null });
  expect(startOf({ amount: "5", target: "7.5" })).toEqual({ betAmount: "5.00", autoCashoutProfit: "7.50" });
  expect(formOf(stonksRound(1, { autoCashoutProfit: "15.00" }))).toEqual({ amount: "10.00", target: "15.00" });
  expect(profitCents({ amount: "10", target: "15" })).toBe(500);
  expect(profitCents(DEFAULT_FORM)).toBeNull();
  expect(worthAt(stonksRound(1), 1.234)).toBe("$12.34");
});

const sold = (cashoutMultiplier: number, winAmount: string) =>
  ending(stonksRound(1, { result: "cashed_out", cashoutMultiplier, winAmount }));

it("describes the end of the round, including a sale at a loss", () => {
  expect(sold(1.239, "12.39")).toMatchObject({
    title: "Sold!",
    description: "Sold at 1.239× for $12.39 (+$2.39)",
    outcome: "win (1.23x)",
    isWin: true,
  });
  expect(sold(0.85, "8.50")).toMatchObject({
    description: "Sold at 0.850× for $8.50 (−$1.50)",
    outcome: "loss (0.85x)",
    isWin: false,
  });
  expect(ending(stonksRound(1, { result: "crashed" }))).toMatchObject({
    title: "Stonks Crashed!",
    outcome: "loss",
    isWin: false,
  });
});

describe("the price path", () => {
  it("collects points as they arrive, once each", () => {
    const path = new PricePath();
    path.merge(5, [1], 0);
    expect(path.append(5, 1, 1.02, 500)).toBe(true);
    expect(path.append(5, 1, 9, 501)).toBe(true);
    expect(path.append(5, 2, 1.01, 1000)).toBe(true);
    expect(path).toMatchObject({ points: [1, 1.02, 1.01], tick: 2, newest: 1.01, newestAt: 1000 });
  });

  it("reports missing points, and fills them in", () => {
    const path = new PricePath();
    path.merge(5, [1, 1.1], 0);
    expect(path.append(5, 4, 1.4, 2000)).toBe(false);
    expect(path.points).toEqual([1, 1.1, 1.1, 1.1, 1.4]);
    path.merge(5, [1, 1.1, 1.2, 1.3], 2100);
    expect(path.points).toEqual([1, 1.1, 1.2, 1.3, 1.4]);
    expect(path.newestAt).toBe(2000);
  });

  it("switches from an older round to a newer one, and not back", () => {
    const path = new PricePath();
    path.append(5, 1, 1.1, 0);
    path.append(6, 1, 0.9, 500);
    path.merge(5, [1, 1.1, 1.2], 600);
    path.append(5, 3, 2, 700);
    expect(path).toMatchObject({ roundId: 6, points: [1, 0.9] });
  });
});

it("draws the last step up to its progress", () => {
  expect(pathScene([1, 1.1, 1.2], 0.5, null, "live").points.map(([x, y]) => [x, Number(y.toFixed(3))])).toEqual([
    [0, 1],
    [1, 1.1],
    [1.5, 1.15],
  ]);
  expect(pathScene([1, 0], 1, null, "lost")).toMatchObject({ yMin: 0 });
  expect(pathScene([1], 0.2, null, "live").points).toEqual([[0, 1]]);
});

const round = stonksRound(1, { points: [1, 1.1, 1.2] });

it("shows the open profit with its sign", () => {
  expect(openProfit(round, 1.25)).toEqual({ text: "+$2.50", tone: "win" });
  expect(openProfit(round, 0.75)).toEqual({ text: "−$2.50", tone: "loss" });
  expect(openProfit(round, 1)).toEqual({ text: "$0.00", tone: "none" });
});

it("draws what came after a sale dashed, once it is known", () => {
  const left = { ...round, result: "cashed_out" as const, cashoutMultiplier: 1.2, winAmount: "12.00" };
  const before = endScene(left, null);
  expect(before.rest).toBeUndefined();
  expect(before).toMatchObject({ mark: { at: [2, 1.2], text: "sold at 1.200×", tone: "won" }, entry: { y: 1 } });
  const after = endScene(left, [1, 1.1, 1.2, 3, 0]);
  expect(after.points).toEqual(before.points);
  expect(after.rest).toEqual([
    [3, 3],
    [4, 0],
  ]);
  expect(after).toMatchObject({ mark: before.mark, yMin: 0 });
  expect(after.yMax).toBeGreaterThan(3);
  expect(endScene({ ...left, cashoutMultiplier: 0.9, winAmount: "9.00" }, null).mark).toMatchObject({ tone: "plain" });
});

it("marks nothing in a crashed market", () => {
  expect(endScene({ ...round, result: "crashed", points: [1, 0] }, null)).toMatchObject({ tone: "lost", mark: null });
});
