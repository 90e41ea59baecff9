import { expect, it } from "vitest";
import { crashPointOf } from "./fairness";
import { barHeight, MARKS_HUNDREDTHS, markText, reachPercent } from "./reach";

it.each(MARKS_HUNDREDTHS)("states how often %d hundredths are reached, as the rules give it", (hundredths) => {
  const last = Number((99n << 32n) / BigInt(hundredths));
  expect(crashPointOf(last).hundredths).toBeGreaterThanOrEqual(hundredths);
  expect(crashPointOf(last + 1).hundredths).toBeLessThan(hundredths);
  // The words from 0 to the last one reach it.
  expect(((last + 1) / 2 ** 32) * 100).toBeCloseTo(Number(reachPercent(hundredths)), 6);
});

it("states them as short decimals", () => {
  expect(MARKS_HUNDREDTHS.map(reachPercent)).toEqual(["66", "49.5", "33", "19.8", "9.9", "0.99"]);
  expect(MARKS_HUNDREDTHS.map(markText)).toEqual(["1.50", "2.00", "3.00", "5.00", "10.00", "100.00"]);
});

it("draws equal factors as equal heights", () => {
  expect([100, 1000, 10_000].map(barHeight)).toEqual([0, 0.5, 1]);
});
