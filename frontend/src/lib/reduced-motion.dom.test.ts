import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { isMotionReduced, reducesMotion, useReducedMotion } from "./reduced-motion";

const system = (matches: boolean) =>
  vi.stubGlobal("matchMedia", () => ({ matches, addEventListener: vi.fn(), removeEventListener: vi.fn() }));

afterEach(() => {
  cleanup();
  reducesMotion.set(false);
  vi.unstubAllGlobals();
});

it("follows the system, unless this browser reduces motion in any case", () => {
  system(false);
  const { result } = renderHook(useReducedMotion);
  expect([result.current, isMotionReduced()]).toEqual([false, false]);
  act(() => reducesMotion.set(true));
  expect([result.current, isMotionReduced()]).toEqual([true, true]);
  expect(document.documentElement).toHaveAttribute("data-reduced-motion");
  act(() => reducesMotion.set(false));
  expect([result.current, isMotionReduced()]).toEqual([false, false]);
  expect(document.documentElement).not.toHaveAttribute("data-reduced-motion");
});

it("is reduced if the system says so", () => {
  system(true);
  expect([renderHook(useReducedMotion).result.current, isMotionReduced()]).toEqual([true, true]);
});
