import { act, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lazyPart } from "@/lib/lazy-part";
import { PageError } from "./page-error";

vi.mock("@/lib/deployment", () => ({ isOutdated: async () => false }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("tries again after each failure, also if another part was loaded in between", async () => {
  // React reports what a boundary has caught.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const load = vi.fn(async () => ({ default: () => <p>The screen</p> }));
  load.mockRejectedValueOnce(new Error("offline")).mockRejectedValueOnce(new Error("still offline"));
  const [Screen, Other] = [lazyPart(load), lazyPart(async () => ({ default: () => <p>The other part</p> }))];
  render(
    <Suspense>
      <ErrorBoundary FallbackComponent={PageError}>
        <Screen />
      </ErrorBoundary>
    </Suspense>,
  );
  await act(async () => undefined);
  expect(screen.getByRole("alert")).toHaveTextContent("This screen could not be loaded");
  render(
    <Suspense>
      <Other />
    </Suspense>,
  );
  await act(async () => undefined);
  expect(screen.getByText("The other part")).toBeVisible();

  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(load).toHaveBeenCalledTimes(2);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(load).toHaveBeenCalledTimes(3);
  expect(screen.getByText("The screen")).toBeVisible();
});
