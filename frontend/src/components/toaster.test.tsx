import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { deferred } from "@/test-support/deferred";

/** Renders the toaster of an application that has loaded nothing else yet; `arrive` is how its code for toasts comes. */
async function renderToaster(arrive: () => Promise<void>) {
  vi.resetModules();
  // A mock of its own for each test: what one mock has loaded is kept, with the toasts of the test that loaded it.
  vi.doMock("./toast-region", async (original) => {
    await arrive();
    return original();
  });
  const { Toaster } = await import("./toaster");
  const store = await import("./toast-store");
  const page = render(<Toaster />);
  return { ...store, page, Toaster };
}

const offline = () => Promise.reject(new Error("no network"));

/** The region is there at once, and the toasts in it a moment later. */
async function expectInRegion(text: string) {
  const region = await screen.findByRole("region", { name: "Notifications (F8)" });
  expect(await within(region).findByRole("listitem")).toHaveTextContent(text);
}

beforeEach(() => vi.spyOn(console, "error").mockReturnValue());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("announces a toast also if the code for it cannot be loaded, and shows the next one as usual", async () => {
  let isOffline = true;
  const { toast } = await renderToaster(async () => (isOffline ? offline() : undefined));
  expect(screen.queryByText("Connection lost")).toBeNull();
  act(() => void toast({ title: "Connection lost", description: "Try again.", variant: "destructive" }));
  expect(screen.getByText("Connection lost")).toBeVisible();
  expect(await screen.findByRole("alert")).toHaveTextContent("Connection lost");
  fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText("Connection lost")).toBeNull();
  isOffline = false;
  act(() => void toast({ title: "You won" }));
  await expectInRegion("You won");
  expect(screen.queryByRole("alert")).toBeNull();
});

it("closes a toast in time also if the code for it cannot be loaded", async () => {
  const { TOAST_MS, toast } = await renderToaster(offline);
  // React and the queries wait, too; only the toast's time is passed at once.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  act(() => void toast({ title: "Connection lost", variant: "destructive" }));
  await screen.findByRole("alert");
  expect(screen.getByText("Connection lost")).toBeVisible();
  act(() => void vi.advanceTimersByTime(TOAST_MS));
  expect(screen.queryByText("Connection lost")).toBeNull();
});

it("shows a toast to screen readers also if the dialog beside it was open before the code for toasts was there", async () => {
  const arrival = deferred<void>();
  const { toast, page, Toaster } = await renderToaster(() => arrival.promise);
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
  await expectInRegion("Copied");
  expect(screen.getByRole("button", { name: "Dismiss" })).toBeVisible();
});
