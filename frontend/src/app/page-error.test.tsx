import { act, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lazyPart } from "@/lib/lazy-part";
import { PageError } from "./page-error";

const reloadPage = vi.hoisted(() => vi.fn());
vi.mock("@/lib/reload", () => ({ reloadPage }));
vi.mock("@/lib/deployment", () => ({ isOutdated: async () => false }));

beforeEach(async () => {
  vi.useFakeTimers();
  // A part that is loaded ends the failures in a row of an earlier test.
  const Loaded = lazyPart(async () => ({ default: () => null }));
  render(
    <Suspense>
      <Loaded />
    </Suspense>,
  );
  await act(async () => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  reloadPage.mockReset();
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

it.each([
  ["can be loaded by now", true, 1],
  ["still cannot be loaded", false, 0],
])("loads the page again if it is old enough and the file %s", async (_, ok, reloads) => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const fetched = vi.fn(async () => ({ ok }));
  vi.stubGlobal("fetch", fetched);
  const load = vi.fn(async (): Promise<{ default: () => null }> => {
    throw new TypeError("Failed to fetch dynamically imported module: http://localhost/assets/screen.js");
  });
  const Screen = lazyPart(load);
  render(
    <Suspense>
      <ErrorBoundary FallbackComponent={PageError}>
        <Screen />
      </ErrorBoundary>
    </Suspense>,
  );
  await act(async () => undefined);
  const age = vi.spyOn(performance, "now").mockReturnValue(9000);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(fetched).toHaveBeenCalledWith("http://localhost/assets/screen.js");
  expect(load).toHaveBeenCalledTimes(2);
  expect(reloadPage).not.toHaveBeenCalled();
  age.mockReturnValue(11_000);
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(reloadPage).toHaveBeenCalledTimes(reloads);
  expect(load).toHaveBeenCalledTimes(3 - reloads);
});
