import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const code = vi.hoisted(() => ({ isMissing: false }));
vi.mock("./toast-region", async (original) => {
  if (code.isMissing) throw new Error("no network");
  return original();
});

/** Renders the toaster of an application that has loaded nothing else yet. */
async function renderToaster() {
  vi.resetModules();
  const { Toaster } = await import("./toaster");
  const store = await import("./toast-store");
  render(<Toaster />);
  return store;
}

beforeEach(() => vi.spyOn(console, "error").mockReturnValue());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("announces a toast also if the code for it cannot be loaded, and shows the next one as usual", async () => {
  code.isMissing = true;
  const { toast } = await renderToaster();
  expect(screen.queryByText("Connection lost")).toBeNull();
  act(() => void toast({ title: "Connection lost", description: "Try again.", variant: "destructive" }));
  expect(screen.getByText("Connection lost")).toBeVisible();
  expect(await screen.findByRole("alert")).toHaveTextContent("Connection lost");
  fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText("Connection lost")).toBeNull();
  code.isMissing = false;
  act(() => void toast({ title: "You won" }));
  expect(await screen.findByRole("listitem")).toHaveTextContent("You won");
  expect(screen.queryByRole("alert")).toBeNull();
});

it("closes a toast in time also if the code for it cannot be loaded", async () => {
  code.isMissing = true;
  const { TOAST_MS, toast } = await renderToaster();
  // React and the queries wait, too; only the toast's time is passed at once.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  act(() => void toast({ title: "Connection lost", variant: "destructive" }));
  await screen.findByRole("alert");
  expect(screen.getByText("Connection lost")).toBeVisible();
  act(() => void vi.advanceTimersByTime(TOAST_MS));
  expect(screen.queryByText("Connection lost")).toBeNull();
});
