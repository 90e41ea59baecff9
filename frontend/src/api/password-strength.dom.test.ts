import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { deferred } from "@/test-support/deferred";
import { fetched } from "@/test-support/network";
import { usePasswordStrength } from "./password-strength";

const strength = (score: number) => ({
  isAccepted: true,
  refusal: null,
  score,
  guessesPowerOfTen: 8,
  warning: null,
  suggestions: [],
});

beforeEach(() => {
  fetched.mockReset();
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const typing = (password: string, username?: string) =>
  renderHook((typed) => usePasswordStrength(typed.password, typed.username), { initialProps: { password, username } });
const pause = (milliseconds = 400) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

it("asks once typing has paused, with the username, and for nothing while nothing is typed", async () => {
  const bodies: unknown[] = [];
  fetched.mockImplementation(async (request) => {
    bodies.push([new URL(request.url).pathname, await request.json()]);
    return Response.json(strength(3));
  });
  const { result, rerender } = typing("", "lena");
  await pause();
  expect(bodies).toEqual([]);
  for (const password of ["a", "ab", "abc"]) {
    rerender({ password, username: "lena" });
    await pause(100);
  }
  expect(result.current).toBeNull();
  await pause();
  expect(bodies).toEqual([["/api/password-strength", { password: "abc", username: "lena" }]]);
  expect(result.current?.score).toBe(3);
  rerender({ password: "", username: "lena" });
  expect(result.current).toBeNull();
});

it("aborts a request whose password has changed, and ignores its late answer", async () => {
  const first = deferred<Response>();
  const signals: AbortSignal[] = [];
  fetched.mockImplementation(async (request) => {
    signals.push(request.signal);
    return signals.length === 1 ? first.promise : Response.json(strength(4));
  });
  const { result, rerender } = typing("abc");
  await pause();
  rerender({ password: "abcd", username: undefined });
  expect(signals[0]?.aborted).toBe(true);
  await pause();
  expect(result.current?.score).toBe(4);
  first.resolve(Response.json(strength(0)));
  await pause(0);
  expect(result.current?.score).toBe(4);
});

it.each([
  ["too many requests", async () => Response.json({ code: "rate_limited", message: "Later." }, { status: 429 })],
  [
    "no connection",
    async () => {
      throw new TypeError("Failed to fetch");
    },
  ],
])("says nothing after %s", async (_, answer) => {
  fetched.mockImplementationOnce(async () => Response.json(strength(2)));
  const { result, rerender } = typing("abc");
  await pause();
  expect(result.current?.score).toBe(2);
  fetched.mockImplementation(answer);
  rerender({ password: "abcd", username: undefined });
  await pause();
  expect(result.current).toBeNull();
});
