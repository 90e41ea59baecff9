import { expect, it } from "vitest";
import { roundStep, roundTicks } from "./ticks";

it("labels an axis with round numbers", () => {
  expect(roundTicks(1, 1.8, 4)).toEqual([1.2, 1.4, 1.6, 1.8]);
  expect(roundTicks(1, 3.4, 4)).toEqual([2, 3]);
  expect(roundTicks(1, 117, 4)).toEqual([50, 100]);
  expect(roundTicks(0.84, 1.16, 4)).toEqual([0.9, 1, 1.1]);
  expect(roundTicks(0, 5, 6)).toEqual([1, 2, 3, 4, 5]);
  expect(roundTicks(0, 34, 6)).toEqual([10, 20, 30]);
});

it("never returns more than requested, nor a step of zero", () => {
  for (let top = 1.01; top < 120; top += 0.37) expect(roundTicks(1, top, 4).length).toBeLessThanOrEqual(4);
  expect(roundStep(0, 4)).toBe(1);
  expect(roundTicks(1, 1, 4)).toEqual([]);
});
