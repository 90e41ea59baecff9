import { describe, expect, it } from "vitest";
import { crashRound } from "@/test-support/rounds";
import { crashScene, endScene, heatOf } from "./crash-scene";
import {
  DEFAULT_FORM,
  ending,
  extraCent,
  formOf,
  parseAuto,
  payoutAt,
  profitCents,
  refuseStart,
  startOf,
} from "./rules";
import { hundredthsAt } from "./curve";
import { shownAt } from "./use-crash-frames";
import { pitchOf } from "./use-running-tone";

const limits = { balanceCents: 200_000, minimumCents: 100, maximumCents: 100_000 };
const INVALID_AUTO = "Invalid auto cashout multiplier";

describe("validation of a round", () => {
  const cases: [string, Partial<typeof DEFAULT_FORM>, string, string | RegExp][] = [
    ["for nothing", { amount: "0" }, "Invalid Bet", "Bet amount must be greater than 0"],
    ["below the smallest bet", { amount: "0.99" }, "Invalid Bet", "Minimum allowed is $1.00"],
    [
      "above the balance",
      { amount: "2000.01" },
      "Insufficient Balance",
      "You don't have enough funds to place this bet",
    ],
    ["above the limit", { amount: "1000.01" }, "Bet Exceeds Limit", "Maximum allowed is $1,000.00"],
    ...["1", "1.00", "0.5", "abc", "-2", "2.005", "100.01", "1e2"].map(
      (auto): [string, Partial<typeof DEFAULT_FORM>, string, RegExp] => [
        `for cashing out at ${auto}`,
        { auto },
        INVALID_AUTO,
        /greater than 1/,
      ],
    ),
  ];
  it.each(cases)("%s", (_, change, title, description) => {
    const refusal = refuseStart({ ...DEFAULT_FORM, ...change }, limits);
    expect(refusal?.title).toBe(title);
    expect(refusal?.description).toMatch(description);
  });

  it("accepts the limits", () => {
    for (const amount of ["1", "1000.00"]) expect(refuseStart({ ...DEFAULT_FORM, amount }, limits)).toBeNull();
    for (const auto of ["", " ", "1.01", "1.1", "2x", "100"])
      expect(refuseStart({ ...DEFAULT_FORM, auto }, limits)).toBeNull();
  });
});

it("is sent in the server's format, and shown as it was sent", () => {
  expect(startOf(DEFAULT_FORM)).toEqual({ betAmount: "10.00", autoCashoutMultiplier: "2.00", curve: "linear" });
  expect(startOf({ ...DEFAULT_FORM, amount: "5", auto: "", curve: "exponential" })).toEqual({
    betAmount: "5.00",
    autoCashoutMultiplier: null,
    curve: "exponential",
  });
  expect(formOf(crashRound(1, { autoCashoutMultiplier: 1.5 }))).toEqual({
    amount: "10.00",
    auto: "1.50",
    curve: "linear",
  });
  expect(parseAuto("1.1")).toBe(110);
  expect(profitCents(DEFAULT_FORM)).toBe(1000);
  expect(profitCents({ ...DEFAULT_FORM, auto: "" })).toBeNull();
});

it("pays the multiplier shown, rounded down to the cent", () => {
  expect(payoutAt(crashRound(1), 248)).toBe("$24.80");
  expect(payoutAt(crashRound(1, { betAmount: "0.99" }), 153)).toBe("$1.51");
});

describe("what is shown", () => {
  it("follows the house clock and never passes the automatic cash-out", () => {
    const round = crashRound(1, { startedAtMs: 1000, autoCashoutMultiplier: 2 });
    expect(shownAt(round, 900, null)).toMatchObject({ ms: 0, hundredths: 100 });
    expect(shownAt(round, 2000, null)).toMatchObject({ ms: 1000, hundredths: 170 });
    expect(shownAt(round, 9000, null)).toMatchObject({ ms: 1429, hundredths: 200 });
    expect(shownAt({ ...round, autoCashoutMultiplier: null }, 1e9, null).hundredths).toBe(10_000);
  });

  it("does not move while the time is unknown", () => {
    const before = { roundId: 1, ms: 500, hundredths: 135 };
    expect(shownAt(crashRound(1), null, before)).toBe(before);
    expect(shownAt(crashRound(2), null, before)).toMatchObject({ roundId: 2, hundredths: 100 });
  });

  it("is a line of at most 80 points that ends where the round did", () => {
    const scene = crashScene("exponential", 48_318, 10_000, null, "live");
    expect(scene.points).toHaveLength(80);
    expect(scene.points.at(-1)?.[0]).toBe(48_318);
    expect(crashScene("linear", 48_318, 10_000, null, "live").points).toHaveLength(2);
    expect(endScene(crashRound(1, { result: "crashed", crashPoint: 1 })).points).toHaveLength(2);
    const left = endScene(crashRound(1, { result: "cashed_out", crashPoint: 5, cashoutMultiplier: 1.7 }));
    expect(left.points.at(-1)).toEqual([1000, 1.7]);
  });

  it("is within half a pixel of the curve on a chart of 1000 by 600 pixels", () => {
    for (const endMs of [3000, 12_000, 48_318]) {
      const { points, yMax } = crashScene("exponential", endMs, hundredthsAt("exponential", endMs), null, "live");
      for (const [index, [at, up]] of points.slice(1).entries()) {
        const [before, low] = points[index] ?? [0, 0];
        const middle = hundredthsAt("exponential", (before + at) / 2) / 100;
        // The multiplier is rounded down to a hundredth.
        expect(Math.abs((low + up) / 2 - middle)).toBeLessThanOrEqual(((yMax - 1) * 0.5) / 600 + 0.01);
      }
    }
  });

  it("marks the cash-out, and draws the rest up to the crash dashed", () => {
    const left = endScene(crashRound(1, { result: "cashed_out", crashPoint: 5, cashoutMultiplier: 1.7 }));
    expect(left.mark).toEqual({ at: [1000, 1.7], text: "out at 1.70×", tone: "won" });
    expect(left.rest?.[0]).toEqual([1000, 1.7]);
    expect(left.rest?.at(-1)?.[0]).toBe(5715);
    expect(left.rest?.at(-1)?.[1]).toBeCloseTo(5, 2);
    expect(left.restText).toBe("5.00×");
    expect(left.xMax).toBeGreaterThan(5715);
    expect(left.yMax).toBeGreaterThan(5);
  });

  it("has no rest where nothing followed, or where the crash point is not known", () => {
    for (const crashPoint of [1.7, null]) {
      const left = endScene(crashRound(1, { result: "cashed_out", crashPoint, cashoutMultiplier: 1.7 }));
      expect(left.rest).toBeUndefined();
      expect(left.restText).toBeUndefined();
    }
  });

  it("leaves the upper left corner to the number: the end of the line stays below the diagonal", () => {
    for (const curve of ["linear", "exponential"] as const)
      for (let ms = 0; ms < 20_000; ms += 250) {
        const { points, xMax, yMin, yMax } = crashScene(curve, ms, hundredthsAt(curve, ms), null, "live");
        const [along, up] = points.at(-1) ?? [0, 0];
        expect((up - yMin) / (yMax - yMin)).toBeLessThanOrEqual(along / xMax + 1e-9);
      }
  });

  it("grows hotter with the multiplier, and not beyond its limit", () => {
    expect(heatOf(100)).toBe(0);
    expect(heatOf(200)).toBeGreaterThan(heatOf(150));
    expect(heatOf(10_000)).toBe(1);
  });

  it("labels the values as round as they are", () => {
    const { labelOf } = crashScene("linear", 0, 100, null, "live");
    expect([1.2, 1.25, 2, 10].map(labelOf)).toEqual(["1.2×", "1.25×", "2×", "10×"]);
  });

  it("sounds an octave higher at four times the multiplier", () => {
    expect(pitchOf(400)).toBe(2 * pitchOf(100));
  });
});

it("describes the end of the round", () => {
  expect(ending(crashRound(1, { result: "crashed", crashPoint: 1.53 }))).toEqual({
    title: "Crashed!",
    description: "Crashed at 1.53×. You lost $10.00",
    outcome: "loss",
    isWin: false,
  });
  expect(ending(crashRound(1, { result: "cashed_out", cashoutMultiplier: 2, winAmount: "20.00" }))).toEqual({
    title: "Cashed Out!",
    description: "You won $20.00 at 2.00× (+$10.00)",
    outcome: "win (2.00x)",
    isWin: true,
  });
});

it("shows the chance of an extra cent", () => {
  expect(extraCent(DEFAULT_FORM)).toBe(0);
  expect(extraCent({ ...DEFAULT_FORM, amount: "1.01", auto: "1.53" })).toBeCloseTo(0.53, 12);
  for (const auto of ["", "x"]) expect(extraCent({ ...DEFAULT_FORM, amount: "1.01", auto })).toBe(0);
});
