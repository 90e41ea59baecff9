import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { deferred } from "@/test-support/deferred";

const code = vi.hoisted(() => ({ isMissing: false, arrival: Promise.resolve() }));
vi.mock("./toast-region", async (original) => {
  await code.arrival;
  if (code.isMissing) throw new Error("no network");
  return original();
});

/** Renders the toaster of an application that has loaded nothing else yet. */
async function renderToaster() {
  vi.resetModules();
  const { Toaster } = await import("./toaster");
  const store = await import("./toast-store");
  const page = render(<Toaster />);
  return { ...store, page, Toaster };
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

it("shows a toast to screen readers also if the dialog beside it was open before the code for toasts was there", async () => {
  code.isMissing = false;
  const arrival = deferred<void>();
  code.arrival = arrival.promise;
  const { toast, page, Toaster } = await renderToaster();
  const { Dialog } = await import("./dialog");
  page.rerender(
    <>
      <Toaster />
      <Dialog open onOpenChange={() => undefined} title="Deposit" />
    </>,
  );
  expect(screen.getByRole("dialog", { name: "Deposit" })).toBeVisible();
  await act(async () => {
    toast({ title: "Copied" });
    arrival.resolve();
    await arrival.promise;
  });
  expect(await screen.findByRole("region", { name: "Notifications (F8)" })).toHaveTextContent("Copied");
  expect(screen.getByRole("button", { name: "Dismiss" })).toBeVisible();
});
