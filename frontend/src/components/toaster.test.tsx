import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { toast } from "./toast-store";
import { Toaster } from "./toaster";

const code = vi.hoisted(() => ({ isMissing: false }));
vi.mock("./toast-region", async (original) => {
  if (code.isMissing) throw new Error("no network");
  return original();
});

beforeEach(() => vi.spyOn(console, "error").mockReturnValue());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("announces a toast also if the code for it cannot be loaded, and shows the next one as usual", async () => {
  code.isMissing = true;
  render(<Toaster />);
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
