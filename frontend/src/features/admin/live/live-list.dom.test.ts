import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HOLD_MS, type Signal, useLiveList } from "./live-list";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Props = { signal: Signal | undefined; isBusy: boolean };

function setup() {
  const reload = vi.fn(async () => undefined);
  const { result, rerender } = renderHook((props: Props) => useLiveList({ ...props, reload }), {
    initialProps: { signal: undefined, isBusy: false } as Props,
  });
  const show = async (count: number, newestId: number, isBusy = false, others = "") => {
    rerender({ signal: { count, newestId, others }, isBusy });
    await act(async () => undefined);
  };
  return { reload, result, show };
}

it("reloads when something changes, and not before", async () => {
  const { reload, show } = setup();
  await show(5, 50);
  await show(5, 50);
  expect(reload).not.toHaveBeenCalled();
  await show(6, 51);
  expect(reload).toHaveBeenCalledTimes(1);
  // One came and one went.
  await show(6, 52);
  expect(reload).toHaveBeenCalledTimes(2);
  await show(6, 52, false, "1 0");
  expect(reload).toHaveBeenCalledTimes(3);
});

it("waits while a dialog is open, and says so", async () => {
  const { reload, result, show } = setup();
  await show(5, 50);
  await show(6, 51, true);
  expect(reload).not.toHaveBeenCalled();
  expect(result.current.isOutdated).toBe(true);
  await show(6, 51);
  expect(reload).toHaveBeenCalledTimes(1);
  expect(result.current.isOutdated).toBe(false);
});

it("waits while a mouse is on the rows, and shows the changes when told to", async () => {
  const { reload, result, show } = setup();
  await show(5, 50);
  act(() => result.current.area.onPointerEnter({ pointerType: "mouse" }));
  await show(6, 51);
  expect(result.current.isOutdated).toBe(true);
  await act(() => result.current.show());
  expect(reload).toHaveBeenCalledTimes(1);
  expect(result.current.isOutdated).toBe(false);
  await show(7, 52);
  act(() => result.current.area.onPointerLeave());
  await act(async () => undefined);
  expect(reload).toHaveBeenCalledTimes(2);
});

it("leaves the rows in place after decisions of one's own", async () => {
  const { reload, result, show } = setup();
  await show(5, 50);
  act(() => result.current.noteAct());
  await show(4, 50, false, "1 0");
  await act(() => vi.advanceTimersByTimeAsync(HOLD_MS));
  expect(reload).not.toHaveBeenCalled();
  expect(result.current.isOutdated).toBe(false);
});

it("shows what somebody else did a while after one's own last decision", async () => {
  const { reload, result, show } = setup();
  await show(5, 50);
  act(() => result.current.noteAct());
  await show(3, 50);
  expect(reload).not.toHaveBeenCalled();
  expect(result.current.isOutdated).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(HOLD_MS - 1));
  act(() => result.current.noteAct());
  await act(() => vi.advanceTimersByTimeAsync(HOLD_MS - 1));
  expect(reload).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(reload).toHaveBeenCalledTimes(1);
});
