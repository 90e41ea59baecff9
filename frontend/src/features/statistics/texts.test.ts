import { expect, it } from "vitest";
import { ledgerAddress, problemOf, roundsAddress } from "./export-address";
import { returnText } from "./game-totals";
import { changesText } from "./statement-text";
import { bucketLabel, dateLabel, dateOf } from "./times";

const DATES = { from: "2026-11-01", to: "2026-11-22" };

it("addresses the files with game and dates", () => {
  expect(roundsAddress(DATES, null)).toBe("/api/exports/rounds.csv?from=2026-11-01&to=2026-11-22");
  expect(roundsAddress(DATES, "crash")).toBe("/api/exports/rounds.csv?gameType=crash&from=2026-11-01&to=2026-11-22");
  expect(ledgerAddress(DATES)).toBe("/api/exports/ledger.csv?from=2026-11-01&to=2026-11-22");
});

it("refuses dates that are missing or in the wrong order", () => {
  expect(problemOf(DATES)).toBeNull();
  expect(problemOf({ from: "2026-11-22", to: "2026-11-22" })).toBeNull();
  expect(problemOf({ ...DATES, from: "" })).toBe("Choose both dates.");
  expect(problemOf({ from: "2026-11-23", to: "2026-11-22" })).toBe("The first day must not be after the last.");
});

it("mentions only what happened on a day", () => {
  const nothing = { deposits: "0.00", withdrawals: "0.00", adjustments: "0.00", staked: "0.00", paid: "0.00" };
  const day = { ...nothing, date: "2026-11-22", opening: "0.00", closing: "0.00", entries: 1 };
  expect(changesText({ ...day, staked: "5.00", paid: "4.50" })).toBe("Staked $5.00, paid $4.50");
  expect(changesText({ ...day, adjustments: "-1.00" })).toBe("Adjustments −$1.00");
  expect(changesText(day)).toBe("");
});

it("names times in UTC", () => {
  const at = Date.parse("2026-11-22T23:00:00Z");
  expect(bucketLabel(at, "week")).toBe("Nov 22, 23:00");
  expect(bucketLabel(at, "year")).toBe("Nov 22, 2026");
  expect(dateOf(at)).toBe("2026-11-22");
  expect(dateLabel("2026-11-22")).toBe("Nov 22, 2026");
});

it("states what came back", () => {
  expect(returnText({ staked: "200.00", paid: "197.00" })).toBe("98.5%");
  expect(returnText({ staked: "0.00", paid: "0.00" })).toBe("–");
});
