import { describe, expect, it } from "vitest";
import committed from "../../../../crates/games/src/crash/exponential_milliseconds.txt?raw";
import { type Curve, hundredthsAt, reachedAtMs } from "./curve";

const ALL = Array.from({ length: 9901 }, (_, index) => index + 100);

describe.each<Curve>(["linear", "exponential"])("the %s curve", (curve) => {
  it("reaches every hundredth at its millisecond and not before", () => {
    for (const k of ALL) {
      const ms = reachedAtMs(curve, k);
      expect(hundredthsAt(curve, ms)).toBeGreaterThanOrEqual(k);
      if (k > 100) expect(hundredthsAt(curve, ms - 1)).toBeLessThan(k);
    }
  });

  it("starts at 1.00 and ends at 100.00", () => {
    expect(hundredthsAt(curve, -50)).toBe(100);
    expect(hundredthsAt(curve, 0)).toBe(100);
    expect(hundredthsAt(curve, 1e9)).toBe(10_000);
  });
});

it("grows by 0.7 per second", () => {
  expect(hundredthsAt("linear", 1000)).toBe(170);
  expect(hundredthsAt("linear", 14)).toBe(100);
  expect(hundredthsAt("linear", 15)).toBe(101);
  expect(reachedAtMs("linear", 200)).toBe(1429);
});

it("grows by 10 % per second, to the millisecond even where floating point would be late", () => {
  expect([100, 110, 121].map((k) => reachedAtMs("exponential", k))).toEqual([0, 1000, 2000]);
  expect([999, 1000, 1999, 2000].map((ms) => hundredthsAt("exponential", ms))).toEqual([109, 110, 120, 121]);
});

it("matches the server's table", () => {
  expect(ALL.map((k) => reachedAtMs("exponential", k))).toEqual(committed.trim().split("\n").map(Number));
});
