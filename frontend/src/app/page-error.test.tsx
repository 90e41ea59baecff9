import { act, cleanup, render, screen } from "@testing-library/react";
import { type ReactNode, Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lazyPart } from "@/lib/lazy-part";
import { PageError } from "./page-error";

const reloadPage = vi.hoisted(() => vi.fn());
vi.mock("@/lib/reload", () => ({ reloadPage }));
vi.mock("@/lib/deployment", () => ({ isOutdated: async () => false }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  sessionStorage.clear();
  reloadPage.mockReset();
  vi.restoreAllMocks();
});

it("tries again after each failure, also if another part was loaded in between", async () => {
  await endFailures();
  // React reports what a boundary has caught.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const load = vi.fn(async () => ({ default: () => <p>The screen</p> }));
  load.mockRejectedValueOnce(new Error("offline")).mockRejectedValueOnce(new Error("still offline"));
  const [Screen, Other] = [lazyPart(load), lazyPart(async () => ({ default: () => <p>The other part</p> }))];
  await show(
    <ErrorBoundary FallbackComponent={PageError}>
      <Screen />
    </ErrorBoundary>,
  );
  expect(screen.getByRole("alert")).toHaveTextContent("This screen could not be loaded");
  await show(<Other />);
  expect(screen.getByText("The other part")).toBeVisible();

  await pass(1);
  expect(load).toHaveBeenCalledTimes(2);
  await pass(1);
  expect(load).toHaveBeenCalledTimes(3);
  expect(screen.getByText("The screen")).toBeVisible();
});

async function show(part: ReactNode) {
  render(<Suspense>{part}</Suspense>);
  await act(async () => undefined);
}

/** Loads a part, which ends the failures in a row of an earlier test. */
async function endFailures() {
  const Loaded = lazyPart(async () => ({ default: () => null }));
  await show(<Loaded />);
}

/** A screen whose import the browser refuses, after its first failure. */
async function failImports(canBeFetched: boolean) {
  await endFailures();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const fetched = vi.fn(async () => ({ ok: canBeFetched }));
  vi.stubGlobal("fetch", fetched);
  const load = vi.fn(async (): Promise<{ default: () => null }> => {
    throw new TypeError("Failed to fetch dynamically imported module: http://localhost/assets/screen.js");
  });
  const Screen = lazyPart(load);
  await show(
    <ErrorBoundary FallbackComponent={PageError}>
      <Screen />
    </ErrorBoundary>,
  );
  return { fetched, load };
}

/** React renders after each second. */
async function pass(seconds: number) {
  for (let second = 0; second < seconds; second += 1) await act(() => vi.advanceTimersByTimeAsync(1000));
}

it("loads the page again if a file can be fetched but not imported, at most once a minute", async () => {
  const { fetched, load } = await failImports(true);
  await pass(1);
  expect(fetched).toHaveBeenCalledWith("http://localhost/assets/screen.js", expect.anything());
  expect(reloadPage).toHaveBeenCalledTimes(1);
  expect(load).toHaveBeenCalledTimes(1);
  cleanup();
  // As after the reload.
  const again = await failImports(true);
  await pass(57);
  expect(again.load.mock.calls.length).toBeGreaterThan(3);
  expect(reloadPage).toHaveBeenCalledTimes(1);
  await pass(60);
  expect(reloadPage).toHaveBeenCalledTimes(2);
});

it("only tries again while the file cannot be fetched, or a dialog is open", async () => {
  const { load } = await failImports(false);
  await pass(3);
  expect(load).toHaveBeenCalledTimes(3);
  cleanup();
  render(<div role="dialog">A deposit</div>);
  const { load: beside } = await failImports(true);
  await pass(60);
  expect(beside.mock.calls.length).toBeGreaterThan(1);
  expect(reloadPage).not.toHaveBeenCalled();
});
