import { expect, it } from "vitest";
import type { PlayerLimit } from "./api";
import { changeText } from "./changes-panel";
import { offeredDurations } from "./durations";
import { effectOf, effectText, typedLimit, usageOf } from "./rules";

const DAILY: PlayerLimit = {
  kind: "stake",
  period: "day",
  value: "50.00",
  used: "12.50",
  resetsAt: "2026-11-26T00:00:00Z",
  since: "2026-11-25T10:00:00Z",
  pending: null,
};
const TIME: PlayerLimit = { ...DAILY, kind: "session_time", value: "90", used: "30" };

it.each([
  ["50", "50.00"],
  ["0.5", "0.50"],
  [" 007.10 ", "7.10"],
])("%j dollars are sent as %s", (typed, value) => expect(typedLimit(DAILY, typed)).toEqual({ value }));

it.each(["", "-1", "1.005", "1,5", "1e3", "ten", "9999999999999"])("%j is no amount", (typed) =>
  expect(typedLimit(DAILY, typed)).toHaveProperty("error"),
);

it("session time is in whole minutes, at most those of the period", () => {
  expect(typedLimit(TIME, "1440")).toEqual({ value: "1440" });
  for (const typed of ["0", "1441", "1.5", "-3"])
    expect(typedLimit(TIME, typed)).toEqual({ error: "Please enter a whole number of minutes from 1 to 1440" });
  expect(typedLimit({ ...TIME, period: "month" }, "44640")).toEqual({ value: "44640" });
});

it("compares limits by their amount, not by their text", () => {
  expect(effectOf(undefined, "5.00")).toBe("first");
  expect(effectOf(DAILY, "9.00")).toBe("lower");
  expect(effectOf(DAILY, "50.00")).toBe("same");
  expect(effectOf(DAILY, "100.00")).toBe("raise");
  expect(effectOf(TIME, "100")).toBe("raise");
});

it("says beforehand what a change does", () => {
  expect(effectText(undefined, "5.00")).toContain("In force at once");
  expect(effectText(DAILY, "60.00")).toContain("$50.00 stays in force until you confirm the raise, 24 hours from now");
  const pending = {
    value: "80.00",
    requestedAt: DAILY.since,
    confirmableAt: DAILY.resetsAt,
    lapsesAt: DAILY.resetsAt,
  };
  expect(effectText({ ...DAILY, pending }, "40.00")).toContain("The pending change is dropped.");
});

it("knows how much of a limit is used, also after a net win and with a limit of nothing", () => {
  expect(usageOf(DAILY)).toEqual({ share: 0.25, left: 3750 });
  expect(usageOf({ ...DAILY, kind: "loss", used: "-10.00" })).toEqual({ share: 0, left: 6000 });
  expect(usageOf({ ...DAILY, used: "75.00" })).toEqual({ share: 1, left: 0 });
  expect(usageOf({ ...DAILY, value: "0.00", used: "0.00" })).toEqual({ share: 1, left: 0 });
  expect(usageOf(TIME).left).toBe(60);
});

it("describes each change of a limit", () => {
  const change = { id: 1, kind: "deposit", period: "week", at: DAILY.since } as const;
  const text = (
    action: "set" | "requested" | "confirmed" | "withdrawn",
    oldValue: string | null,
    newValue: string | null,
  ) => changeText({ ...change, action, oldValue, newValue });
  expect(text("set", null, "50.00")).toBe("Deposit limit a week set to $50.00");
  expect(text("requested", "50.00", null)).toBe("Removal of the deposit limit a week requested (before: $50.00)");
  expect(text("confirmed", "50.00", "80.00")).toBe("Deposit limit a week raised to $80.00 (before: $50.00)");
  expect(text("confirmed", "50.00", null)).toBe("Deposit limit a week removed (before: $50.00)");
  expect(text("withdrawn", "50.00", "50.00")).toBe("Deposit limit a week: request withdrawn, $50.00 stays");
});

it("offers only exclusions that end later than the one in force, by the calendar in UTC", () => {
  const now = new Date("2027-01-31T12:00:00Z");
  expect(offeredDurations(null, now)).toHaveLength(7);
  const until = "2027-02-28T11:00:00Z";
  const current = {
    kind: "cool_off",
    duration: "month",
    since: "2027-01-28T11:00:00Z",
    until,
    isPermanent: false,
  } as const;
  expect(offeredDurations(current, now).map(({ value }) => value)).toEqual([
    "month",
    "six_months",
    "year",
    "five_years",
    "permanent",
  ]);
  expect(offeredDurations(null, now)[2]?.end?.(now).toISOString()).toBe("2027-02-28T12:00:00.000Z");
  expect(offeredDurations({ ...current, until: "9998-12-31T23:59:59Z" }, now)).toEqual([]);
});
