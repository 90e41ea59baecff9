import { expect, it } from "vitest";
import type { HouseDay } from "../api/admin";
import { dayBars } from "./plot-scale";

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
