import { expect, it } from "vitest";
import { amountQuery, dateQuery, startOfDay } from "./ranges";

it("a day begins at the reader's midnight", () => {
  expect(startOfDay("2026-11-26")).toBe(new Date(2026, 10, 26).toISOString());
  expect(startOfDay("2026-11-30", 1)).toBe(new Date(2026, 11, 1).toISOString());
});

it.each(["", "26.11.2026", "2026-13-01", "2026-02-31", "x"])("%j is no day", (text) =>
  expect(startOfDay(text)).toBeNull(),
);

it("the last day is included", () => {
  const { from, to } = dateQuery("2026-11-26", "2026-11-26");
  expect(from).toBe(new Date(2026, 10, 26).toISOString());
  expect(to).toBe(new Date(2026, 10, 27).toISOString());
  expect(dateQuery("2026-11-26", "")).toEqual({ from });
});

it("says that the days are reversed, and asks for neither", () => {
  expect(dateQuery("2026-11-27", "2026-11-26")).toEqual({ error: "The last day is before the first" });
});

it.each([
  ["", "", {}],
  ["5", "10.5", { minAmount: "5.00", maxAmount: "10.50" }],
  ["x", "", { minError: "Please enter an amount such as 25.00" }],
  ["", "1.234", { maxError: "Please enter an amount such as 25.00" }],
  ["10", "5", { minAmount: "10.00", maxError: "The maximum is less than the minimum" }],
])("from %j to %j", (least, most, expected) => expect(amountQuery(least, most)).toEqual(expected));
