import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DecisionDialog } from "./decision-dialog";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const onConfirm = vi.fn();
const onCancel = vi.fn();
type Options = { step?: string; isDestructive?: boolean; isBusy?: boolean };
const dialog = ({ step = "", isDestructive = false, isBusy = false }: Options) => (
  <DecisionDialog
    title="Decide"
    confirmLabel="Do it"
    step={step}
    isDestructive={isDestructive}
    isBusy={isBusy}
    onConfirm={onConfirm}
    onCancel={onCancel}
  >
    <input aria-label="Reason" />
  </DecisionDialog>
);
const confirmButton = () => screen.getByRole("button", { name: "Do it" });
const order = () => screen.getAllByRole("button").map((button) => button.textContent);
const wait = () => act(() => vi.advanceTimersByTime(600));

it("cannot be confirmed by the click that opened it, nor by an Enter too early", () => {
  onConfirm.mockReset();
  const { rerender } = render(dialog({}));
  fireEvent.click(confirmButton());
  fireEvent.submit(screen.getByLabelText("Reason"));
  expect(onConfirm).not.toHaveBeenCalled();
  wait();
  fireEvent.click(confirmButton());
  expect(onConfirm).toHaveBeenCalledOnce();
  // The next step's button stands where the last one's did.
  rerender(dialog({ step: "second" }));
  fireEvent.click(confirmButton());
  expect(onConfirm).toHaveBeenCalledOnce();
  wait();
  fireEvent.click(confirmButton());
  expect(onConfirm).toHaveBeenCalledTimes(2);
});

it("is neither confirmed nor closed while it is being done, and gives the focus back after", () => {
  onConfirm.mockReset();
  const { rerender } = render(dialog({}));
  wait();
  confirmButton().focus();
  rerender(dialog({ isBusy: true }));
  fireEvent.click(confirmButton());
  fireEvent.submit(screen.getByLabelText("Reason"));
  fireEvent.keyDown(screen.getByRole("dialog"), { key: "Escape" });
  expect(onConfirm).not.toHaveBeenCalled();
  expect(onCancel).not.toHaveBeenCalled();
  rerender(dialog({}));
  expect(confirmButton()).toHaveFocus();
});

it("leaves the focus in a field, and gives it to the dialog where the next step's button is not ready", () => {
  const { rerender } = render(dialog({}));
  wait();
  screen.getByLabelText("Reason").focus();
  rerender(dialog({ isBusy: true }));
  rerender(dialog({}));
  expect(screen.getByLabelText("Reason")).toHaveFocus();
  confirmButton().focus();
  rerender(dialog({ isBusy: true }));
  rerender(dialog({ step: "second" }));
  expect(screen.getByRole("dialog")).toHaveFocus();
});

it("has the way back on the left and what is decided on the right, whatever it is", () => {
  const { rerender } = render(dialog({}));
  expect(order().filter(Boolean)).toEqual(["Cancel", "Do it"]);
  rerender(dialog({ isDestructive: true }));
  expect(order().filter(Boolean)).toEqual(["Cancel", "Do it"]);
});
