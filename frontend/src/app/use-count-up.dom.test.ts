import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useCountUp } from "./use-count-up";

const stillness = (matches: boolean) => () => ({ matches, addEventListener: vi.fn(), removeEventListener: vi.fn() });

beforeEach(() => {
  vi.stubGlobal("matchMedia", stillness(false));
  vi.useFakeTimers({ toFake: ["requestAnimationFrame", "cancelAnimationFrame", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const shownAfter = (first: number, second: number) => {
  const hook = renderHook(({ cents }) => useCountUp(cents), { initialProps: { cents: first } });
  hook.rerender({ cents: second });
  return hook.result;
};

test("a higher balance is counted up to within 400 ms", () => {
  const shown = shownAfter(1000, 2000);
  expect(shown.current).toBe(1000);
  act(() => void vi.advanceTimersByTime(200));
  expect(shown.current).toBeGreaterThan(1000);
  expect(shown.current).toBeLessThan(2000);
  act(() => void vi.advanceTimersByTime(250));
  expect(shown.current).toBe(2000);
});

test("a lower balance is shown at once", () => {
  expect(shownAfter(2000, 1000).current).toBe(1000);
});

test("under reduced motion a higher balance is shown at once, too", () => {
  vi.stubGlobal("matchMedia", stillness(true));
  expect(shownAfter(1000, 2000).current).toBe(2000);
});
