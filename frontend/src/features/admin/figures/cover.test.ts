import { expect, it } from "vitest";
import { coverOf } from "./cover";

it.each([
  [200, 100, "200.0%", null],
  [100, 100, "100.0%", null],
  [99_999, 100_000, "99.9%", "The balance covers only 99.9% of what is owed: $0.01 is missing."],
  [0, 123_456, "0.0%", "The balance covers only 0.0% of what is owed: $1,234.56 is missing."],
  [9_007_199_254_740_991, 9_007_199_254_740_990, "100.0%", null],
  [1_100_000_000, 10_000, "11,000,000.0%", null],
  [100, 0, null, null],
  [100, -5, null, null],
])("compares %i with %i", (balance, owed, ratio, warning) => {
  expect(coverOf(balance, owed)).toEqual({ ratio, warning });
});
