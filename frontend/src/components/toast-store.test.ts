import { beforeEach, expect, it, vi } from "vitest";
import { dismissErrors, dismissToast, REMOVE_DELAY_MS, toast, toastStore } from "./toast-store";

beforeEach(() => {
  vi.useFakeTimers();
});

it("shows only the newest toast", () => {
  toast({ title: "first" });
  toast({ title: "second" });
  expect(toastStore.current().map(({ title }) => title)).toEqual(["second"]);
});

it("keeps a dismissed toast, closed, for 1,000,000 ms", () => {
  expect(REMOVE_DELAY_MS).toBe(1_000_000);
  const id = toast({ title: "bye" });
  dismissToast(id);
  expect(toastStore.current()).toMatchObject([{ id, isOpen: false }]);
  vi.advanceTimersByTime(REMOVE_DELAY_MS - 1);
  expect(toastStore.current()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toastStore.current()).toHaveLength(0);
});

it("notifies its listeners", () => {
  const listener = vi.fn();
  const stop = toastStore.subscribe(listener);
  toast({ title: "hello" });
  stop();
  toast({ title: "again" });
  expect(listener).toHaveBeenCalledTimes(1);
});

it("closes a stale error, but not a result", () => {
  toast({ title: "You Won!" });
  dismissErrors();
  expect(toastStore.current()).toMatchObject([{ isOpen: true }]);
  toast({ title: "Invalid Bet", variant: "destructive" });
  dismissErrors();
  expect(toastStore.current()).toMatchObject([{ isOpen: false }]);
});

const shown = () => toastStore.current().map(({ title, isOpen }) => [title, isOpen]);

it("does not replace the reason of an error by the error, until the reason is closed", () => {
  const id = toast({ title: "Session Lost", variant: "destructive", isReason: true });
  expect(toast({ title: "Error", variant: "destructive" })).toBe(id);
  expect(shown()).toEqual([["Session Lost", true]]);
  toast({ title: "Login Successful" });
  expect(shown()).toEqual([["Login Successful", true]]);
  toast({ title: "Account Banned", variant: "destructive", isReason: true });
  dismissToast(toast({ title: "Session Lost", variant: "destructive", isReason: true }));
  toast({ title: "Login Failed", variant: "destructive" });
  expect(shown()).toEqual([["Login Failed", true]]);
});
