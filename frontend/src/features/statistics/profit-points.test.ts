import { expect, it } from "vitest";
import type { ProfitBucket } from "./api";
import { keyTarget, linePath, nearestTo, pointsOf, positionIn, spanOf } from "./profit-points";

const bucket = (startedAt: string, profit: string): ProfitBucket => ({
  startedAt,
  rounds: 2,
  staked: "10.00",
  paid: "9.00",
  profit,
});

it("adds up the profit from the oldest bucket on, in whole cents", () => {
  const points = pointsOf([
    bucket("2026-11-02T10:00:00Z", "0.10"),
    bucket("2026-11-02T08:00:00Z", "0.20"),
    bucket("2026-11-02T11:00:00Z", "-1.05"),
  ]);
  expect(points.map(({ profitCents, sumCents }) => [profitCents, sumCents])).toEqual([
    [20, 20],
    [10, 30],
    [-105, -75],
  ]);
  expect(points[0]).toMatchObject({ rounds: 2, stakedCents: 1000, paidCents: 900 });
});

it("places a bucket where it ends, within the shown time", () => {
  const span = spanOf("2026-11-02T00:00:00Z", "2026-11-03T00:00:00Z", "day");
  const at = (time: string) => positionIn(span, Date.parse(time), "day");
  expect(at("2026-11-02T11:00:00Z")).toBe(0.5);
  expect(at("2026-11-02T23:00:00Z")).toBe(1);
  expect(at("2026-11-02T23:30:00Z")).toBe(1);
  expect(at("2026-11-01T10:00:00Z")).toBe(0);
});

it("shows at least one bucket", () => {
  const { fromMs, toMs } = spanOf("2026-11-02T00:00:00Z", "2026-11-02T00:00:00Z", "all");
  expect(toMs - fromMs).toBe(86_400_000);
});

it("finds the point nearest to the pointer", () => {
  expect([0, 0.2, 0.3, 0.9, 1].map((share) => nearestTo(share, [0.1, 0.4, 0.8]))).toEqual([0, 0, 1, 2, 2]);
  expect(nearestTo(0.5, [])).toBe(-1);
});

it("moves by keys, and stays within the points", () => {
  expect(["ArrowLeft", "ArrowRight", "Home", "End", "a"].map((key) => keyTarget(key, 1, 3))).toEqual([
    0,
    2,
    0,
    2,
    null,
  ]);
  expect(keyTarget("ArrowLeft", 0, 3)).toBe(0);
  expect(keyTarget("ArrowRight", 2, 3)).toBe(2);
});

it("draws from zero through the points to the end", () => {
  const { line, area } = linePath(
    [
      { position: 0.25, y: 10 },
      { position: 0.5, y: 90 },
    ],
    50,
    100,
  );
  expect(line).toBe("M0 50H25V10H50V90H100");
  expect(area).toBe(`${line}V50Z`);
  expect(linePath([], 50, 100).line).toBe("M0 50H100");
});
