import { beforeEach, expect, it, vi } from "vitest";
import { nextCheckAt, onIntervalRestarted, restartInterval } from "./reality-check";

const SINCE = "2026-11-25T10:00:00Z";
const at = (time: string) => Date.parse(`2026-11-25T${time}Z`);
const every = (realityCheckMinutes: number | null) => ({ since: SINCE, realityCheckMinutes });

beforeEach(() => localStorage.clear());

it("is due an interval after signing in, and never while it is off", () => {
  expect(nextCheckAt(every(30), at("10:10:00"))).toBe(at("10:30:00"));
  expect(nextCheckAt(every(null), at("23:00:00"))).toBeNull();
});

it("is due an interval after the last one, whatever the interval is by then", () => {
  restartInterval(SINCE, at("10:31:00"));
  expect(nextCheckAt(every(30), at("10:40:00"))).toBe(at("11:01:00"));
  expect(nextCheckAt(every(60), at("10:40:00"))).toBe(at("11:31:00"));
});

it("counts from signing in again in another session", () => {
  restartInterval("2026-11-25T08:00:00Z", at("09:59:00"));
  expect(nextCheckAt(every(15), at("10:01:00"))).toBe(at("10:15:00"));
});

it.each(["", "null", "{", "7", '{"since":5}', `{"since":"${SINCE}","atMs":"soon"}`])(
  "does not believe what is stored as %j",
  (stored) => {
    localStorage.setItem("glasshouse-reality-check", stored);
    expect(nextCheckAt(every(15), at("10:01:00"))).toBe(at("10:15:00"));
  },
);

it("does not believe a time to come, which would put the check off", () => {
  restartInterval(SINCE, at("23:00:00"));
  expect(nextCheckAt(every(15), at("10:20:00"))).toBe(at("10:15:00"));
});

it("is not repeated at once when the next answer of the house tells of a slightly earlier time", () => {
  restartInterval(SINCE, at("10:20:05"));
  expect(nextCheckAt(every(15), at("10:20:01"))).toBe(at("10:35:05"));
});

it("tells of a restart here and in another tab, until it is no longer listened to", () => {
  const heard = vi.fn<() => void>();
  const stop = onIntervalRestarted(heard);
  restartInterval(SINCE, at("10:30:00"));
  window.dispatchEvent(new StorageEvent("storage", { key: "glasshouse-reality-check" }));
  window.dispatchEvent(new StorageEvent("storage", { key: "something-else" }));
  expect(heard).toHaveBeenCalledTimes(2);
  stop();
  restartInterval(SINCE, at("10:45:00"));
  expect(heard).toHaveBeenCalledTimes(2);
});
