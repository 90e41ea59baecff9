import { describe, expect, it } from "vitest";
import { positionOf, scaleAround } from "./plot-scale";

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
