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

it("ignores the click that opened it and a premature Enter", () => {
  onConfirm.mockReset();
  const { rerender } = render(dialog({}));
  fireEvent.click(confirmButton());
  fireEvent.submit(screen.getByLabelText("Reason"));
  expect(onConfirm).not.toHaveBeenCalled();
  wait();
  fireEvent.click(confirmButton());
  expect(onConfirm).toHaveBeenCalledOnce();
  // The next step's button takes the place of the previous one.
  rerender(dialog({ step: "second" }));
  fireEvent.click(confirmButton());
  expect(onConfirm).toHaveBeenCalledOnce();
  wait();
  fireEvent.click(confirmButton());
  expect(onConfirm).toHaveBeenCalledTimes(2);
});

it("cannot be confirmed or closed while busy, and restores the focus afterwards", () => {
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

it("keeps the focus in a field, or moves it to the dialog if the next step's button is not ready", () => {
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

it("always has the way back on the left and the decision on the right", () => {
  const { rerender } = render(dialog({}));
  expect(order().filter(Boolean)).toEqual(["Cancel", "Do it"]);
  rerender(dialog({ isDestructive: true }));
  expect(order().filter(Boolean)).toEqual(["Cancel", "Do it"]);
});
