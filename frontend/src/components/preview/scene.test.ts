import { expect, it } from "vitest";
import { eased, scattered, turnOf } from "./scene";

it("counts the turns of a loop, also before its start", () => {
  expect(turnOf(0, 100)).toEqual({ turn: 0, ms: 0 });
  expect(turnOf(250, 100)).toEqual({ turn: 2, ms: 50 });
  expect(turnOf(-30, 100)).toEqual({ turn: -1, ms: 70 });
});

it("eases from 0 to 1 and stays there", () => {
  expect(eased(99, 100, 50)).toBe(0);
  expect(eased(125, 100, 50)).toBeGreaterThan(0.5);
  expect(eased(150, 100, 50)).toBe(1);
  expect(eased(9999, 100, 50)).toBe(1);
});

it("scatters numbers evenly and always the same", () => {
  const numbers = Array.from({ length: 4000 }, (_, index) => scattered(index));
  expect(numbers).toEqual(numbers.map((_, index) => scattered(index)));
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const share = numbers.filter((number) => Math.floor(number * 10) === tenth).length / numbers.length;
    expect(share).toBeGreaterThan(0.08);
    expect(share).toBeLessThan(0.12);
  }
});
