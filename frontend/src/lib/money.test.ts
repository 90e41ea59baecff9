import { describe, expect, it } from "vitest";
import {
  centsOf,
  formatChange,
  formatDollars,
  formatWire,
  parseAmount,
  parseCents,
  parseInteger,
  wireAmount,
} from "./money";

describe("user input", () => {
  const cases: [string, number | null][] = [
    ["10", 1000],
    ["10.5", 1050],
    ["10.05", 1005],
    [" 0.01 ", 1],
    ["0", 0],
    ["007", 700],
    ["", null],
    ["-1", null],
    ["1e3", null],
    ["1,000", null],
    ["0.005", null],
    ["20.005", null],
    ["NaN", null],
    [".5", null],
    ["5.", null],
  ];
  it.each(cases)("%s", (text, cents) => expect(parseCents(text)).toBe(cents));
});

it("survives a round trip", () => {
  for (const cents of [0, 1, 99, 100, 1_234_567, 99_999_999_999_999]) expect(centsOf(wireAmount(cents))).toBe(cents);
  expect(centsOf("-4.00")).toBe(-400);
  expect(wireAmount(-5)).toBe("-0.05");
  expect(() => centsOf("lots")).toThrow();
});

it("has one display format", () => {
  expect(formatDollars(123_456_789)).toBe("$1,234,567.89");
  expect(formatDollars(100)).toBe("$1.00");
  expect(formatDollars(-400)).toBe("−$4.00");
  expect([980, -980, 0].map(formatChange)).toEqual(["+$9.80", "−$9.80", "$0.00"]);
  expect(formatWire("1234.50")).toBe("$1,234.50");
});

it("distinguishes an amount that is too large from an invalid one", () => {
  const digits = "9".repeat(30);
  expect([parseAmount(digits), parseCents(digits), parseInteger(digits)]).toEqual([Infinity, null, Infinity]);
  expect([parseAmount("1e2"), parseAmount("1,50"), parseAmount("-5")]).toEqual([null, null, null]);
  expect(parseAmount(`${"0".repeat(30)}1.5`)).toBe(150);
});

it("accepts only digits as whole numbers", () => {
  expect(["50", " 7 ", "007", "0", "50.5", "1e2", "-5", "1,50", "", "abc"].map(parseInteger)).toEqual([
    50,
    7,
    7,
    0,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});
