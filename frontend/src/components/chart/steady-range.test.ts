import { expect, it } from "vitest";
import { rangeBetween, steadyRange } from "./steady-range";

it("contains all prices, with some room", () => {
  for (let high = 1; high <= 100; high += 0.37) {
    const { bottom, top } = steadyRange(1 / high, high);
    expect(top).toBeGreaterThanOrEqual(high * 1.05);
    expect(bottom).toBeLessThanOrEqual(1 / high);
  }
  expect(steadyRange(0, 3)).toEqual({ bottom: 0, top: 4 });
});

it("keeps still while prices stay within a step, and only grows", () => {
  const tops = [1, 1.01, 1.02, 1.03, 1.1, 1.13, 1.3, 1.9].map((high) => steadyRange(1, high).top);
  expect(tops).toEqual([1.1, 1.1, 1.1, 1.1, 1.2, 1.2, 1.5, 2.5]);
  const bottoms = [0.99, 0.97, 0.5, 0.12, 0.01].map((low) => steadyRange(low, 1).bottom);
  expect(bottoms).toEqual(bottoms.toSorted((one, other) => other - one));
});

it("glides from one step to the next", () => {
  expect(rangeBetween({ bottom: 1, top: 2 }, { bottom: 0, top: 4 }, 0.5)).toEqual({ bottom: 0.5, top: 3 });
});
