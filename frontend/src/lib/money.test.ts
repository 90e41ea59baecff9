import { describe, expect, it } from "vitest";
import { centsOf, formatCents, formatDollars, parseCents, wireAmount } from "./money";

describe("what a person types", () => {
  const cases: [string, number | null][] = [
    ["10", 1000], ["10.5", 1050], ["10.05", 1005], [" 0.01 ", 1], ["0", 0], ["007", 700],
    ["", null], ["-1", null], ["1e3", null], ["1,000", null], ["0.005", null], ["20.005", null], ["NaN", null], [".5", null], ["5.", null],
  ];
  it.each(cases)("%s", (text, cents) => expect(parseCents(text)).toBe(cents));
});

it("comes back as it went", () => {
  for (const cents of [0, 1, 99, 100, 1_234_567, 99_999_999_999_999]) expect(centsOf(wireAmount(cents))).toBe(cents);
  expect(centsOf("-4.00")).toBe(-400);
  expect(wireAmount(-5)).toBe("-0.05");
  expect(() => centsOf("lots")).toThrow();
});

it("is shown with two decimals and thousands", () => {
  expect(formatCents(123_456_789)).toBe("1,234,567.89");
  expect(formatCents(100)).toBe("1.00");
  expect(formatDollars(-400)).toBe("−$4.00");
});
