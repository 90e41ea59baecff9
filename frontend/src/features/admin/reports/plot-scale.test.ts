import { describe, expect, it } from "vitest";
import type { HouseDay, HouseGame } from "../api/admin";
import { chanceText, dayBars, positionOf, returnScale, scaleAround, verdictOf } from "./plot-scale";

describe("a scale", () => {
  it.each([
    [0, 0, [0, 1]],
    [0, 100, [0, 50, 100]],
    [-51_000, 69_000, [-100_000, -50_000, 0, 50_000, 100_000]],
    [20, 90, [0, 50, 100]],
    [-90, -20, [-100, -50, 0]],
  ])("from %i to %i has the ticks %j", (lowest, highest, ticks) => {
    const scale = scaleAround(lowest, highest);
    expect(scale.ticks).toEqual(ticks);
    expect([scale.minimum, scale.maximum]).toEqual([ticks.at(0), ticks.at(-1)]);
  });
  it("covers every value and 0 with round steps", () => {
    for (let value = 1; value < 2 ** 45; value = value * 3 + 1) {
      for (const [lowest, highest] of [
        [-value, 7],
        [-3, value],
        [-value, value],
      ] as const) {
        const { minimum, maximum, ticks } = scaleAround(lowest, highest);
        expect(minimum).toBeLessThanOrEqual(Math.min(lowest, 0));
        expect(maximum).toBeGreaterThanOrEqual(Math.max(highest, 0));
        expect(ticks).toContain(0);
        expect(ticks.length).toBeLessThanOrEqual(7);
      }
    }
  });
  it("has its ends at 0 and 1", () => {
    expect([-10, 0, 10].map((value) => positionOf(value, { minimum: -10, maximum: 10 }))).toEqual([0, 0.5, 1]);
  });
});

const day = (name: string, profit: string): HouseDay => ({
  day: name,
  staked: "10.00",
  paid: "9.00",
  profit,
  rounds: 3,
});

it("fills in days without rounds, in order, and adds up", () => {
  const bars = dayBars([day("2026-03-01", "5.00"), day("2026-02-26", "-2.50")]);
  expect(bars.map((bar) => [bar.day, bar.profitCents, bar.sumCents, bar.rounds])).toEqual([
    ["2026-02-26", -250, -250, 3],
    ["2026-02-27", 0, -250, 0],
    ["2026-02-28", 0, -250, 0],
    ["2026-03-01", 500, 250, 3],
  ]);
  expect(dayBars([])).toEqual([]);
});

const game = (measuredRtpPercent: string | null, lowPercent: string | null, highPercent: string | null): HouseGame => ({
  game: "dice",
  rounds: 10,
  staked: "1.00",
  paid: "1.00",
  profit: "0.00",
  exactRtpPercent: "99.00",
  measuredRtpPercent,
  lowPercent,
  highPercent,
  pValue: null,
  isOneSided: false,
});

it.each([
  [0.954, "95 times in 100"],
  [0.2, "20 times in 100"],
  [0.0455, "1 time in 22"],
  [0.000_02, "1 time in 50,000"],
  [1e-12, "less than 1 time in 1,000,000"],
])("words the probability %d", (probability, expected) => expect(chanceText(probability)).toBe(expected));

it.each([
  [game(null, null, null), "none"],
  [game("98.70", "98.00", "99.40"), "within"],
  [game("99.00", "99.00", "99.00"), "within"],
  [game("99.50", "99.01", "99.99"), "above"],
  [game("98.00", "97.01", "98.99"), "below"],
])("classifies a measured return (%#)", (measured, expected) => expect(verdictOf(measured)).toBe(expected));

it("shows every interval, but is not flattened by a few outliers", () => {
  expect(returnScale([game("98.70", "91.20", "104.40")])).toMatchObject({ minimum: 90, maximum: 106 });
  expect(returnScale([game("98.70", "-250.00", "470.00")])).toMatchObject({ minimum: 70, maximum: 130 });
  expect(returnScale([])).toMatchObject({ minimum: 95, maximum: 101 });
});
