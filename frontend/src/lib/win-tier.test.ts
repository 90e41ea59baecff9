import { expect, it } from "vitest";
import { winTier } from "./win-tier";

it("celebrates a win by what it pays for the stake", () => {
  expect(winTier(1000, 1001)).toBe("small");
  expect(winTier(1000, 2000)).toBe("small");
  expect(winTier(1000, 2001)).toBe("big");
  expect(winTier(1000, 10_000)).toBe("big");
  expect(winTier(1000, 10_001)).toBe("huge");
  expect(winTier(1, 4000)).toBe("huge");
});

it("celebrates neither a loss nor a payout of the stake or less", () => {
  expect(winTier(1000, 0)).toBe("none");
  expect(winTier(1000, 999)).toBe("none");
  expect(winTier(1000, 1000)).toBe("none");
  expect(winTier(0, 0)).toBe("none");
});
