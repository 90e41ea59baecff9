import { expect, it } from "vitest";
import { periodError, utcDay } from "./days";

it("tells the day in UTC", () => {
  expect(utcDay(Date.parse("2026-11-26T23:59:59.999Z"))).toBe("2026-11-26");
  expect(utcDay(Date.parse("2026-11-27T00:00:00+01:00"))).toBe("2026-11-26");
});

it.each([
  ["2026-11-01", "2026-11-01", undefined],
  ["2024-01-01", "2024-12-31", undefined],
  ["2025-01-01", "2026-01-01", undefined],
  ["2025-01-01", "2026-01-02", "Please choose at most 366 days"],
  ["2026-11-02", "2026-11-01", "The last day is before the first"],
  ["", "2026-11-01", "Please choose the first and the last day"],
  ["2026-11-01", "2026-02-30", "Please choose the first and the last day"],
  ["1 November", "2026-11-01", "Please choose the first and the last day"],
])("judges the period from %s to %s", (from, to, expected) => {
  expect(periodError(from, to)).toBe(expected);
});
