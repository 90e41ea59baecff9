import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { completedStatus, depositStatus } from "@/test-support/wallet";
import { fetchDepositStatus } from "./api/wallet";
import { POLL_INTERVAL_MS, useDepositStatus } from "./use-deposit-status";

vi.mock("./api/wallet", async (original) => ({ ...(await original<object>()), fetchDepositStatus: vi.fn() }));
const fetchStatus = vi.mocked(fetchDepositStatus);
const after = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

function setup({ isReopened = false, invoiceId = "4522" as string | null } = {}) {
  const onEnter = vi.fn();
  const { result, unmount } = renderHook(() => useDepositStatus({ invoiceId, isReopened, onEnter }));
  return {
    onEnter,
    unmount,
    stage: () => result.current.stage,
    entered: () => onEnter.mock.calls.map(([stage]) => stage as string),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  fetchStatus.mockReset().mockResolvedValue(depositStatus());
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("polls every five seconds, and reports each stage once", async () => {
  const { entered, stage } = setup();
  await after(POLL_INTERVAL_MS - 1);
  expect(fetchStatus).not.toHaveBeenCalled();
  await after(1);
  expect(fetchStatus).toHaveBeenCalledOnce();
  expect(stage()).toBe("pending");
  for (const word of [
    "confirming",
    "confirmed",
    "sending",
    "partially_paid",
    "partially_paid",
    "waiting",
    "finished",
  ]) {
    fetchStatus.mockResolvedValue(depositStatus({ external_status: word }));
    await after(POLL_INTERVAL_MS);
  }
  expect(entered()).toEqual(["confirming", "partially_paid", "confirming"]);
  expect(fetchStatus).toHaveBeenCalledTimes(8);
});

it.each([
  ["completed", completedStatus()],
  ["failed", depositStatus({ external_status: "expired" })],
])("stops polling once it is %s", async (stage, status) => {
  const { entered } = setup();
  fetchStatus.mockResolvedValue(status);
  await after(POLL_INTERVAL_MS);
  await after(10 * POLL_INTERVAL_MS);
  act(() => void window.dispatchEvent(new Event("focus")));
  expect(entered()).toEqual([stage]);
  expect(fetchStatus).toHaveBeenCalledOnce();
});

it("stops polling once it is closed, and ignores a late response", async () => {
  const { unmount, onEnter } = setup();
  let signal: AbortSignal | undefined;
  fetchStatus.mockImplementation((_, given) => {
    signal = given;
    return new Promise((resolve) => setTimeout(() => resolve(completedStatus()), 1000));
  });
  await after(POLL_INTERVAL_MS);
  unmount();
  expect(signal?.aborted).toBe(true);
  await after(10 * POLL_INTERVAL_MS);
  expect(fetchStatus).toHaveBeenCalledOnce();
  expect(onEnter).not.toHaveBeenCalled();
});

it("only logs errors, and continues", async () => {
  const logged = vi.spyOn(console, "debug").mockReturnValue();
  fetchStatus.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  const { entered } = setup();
  await after(POLL_INTERVAL_MS);
  expect(logged).toHaveBeenCalledOnce();
  fetchStatus.mockResolvedValue(completedStatus());
  await after(POLL_INTERVAL_MS);
  expect(entered()).toEqual(["completed"]);
});

it("does not poll again while a response is pending", async () => {
  fetchStatus.mockImplementation(
    () => new Promise((resolve) => setTimeout(() => resolve(depositStatus()), 2 * POLL_INTERVAL_MS + 1)),
  );
  setup();
  await after(3 * POLL_INTERVAL_MS);
  expect(fetchStatus).toHaveBeenCalledOnce();
});

it("polls at once when it is reopened, and when the page becomes visible", async () => {
  fetchStatus.mockResolvedValue(depositStatus({ external_status: "partially_paid" }));
  const { entered } = setup({ isReopened: true });
  await after(0);
  expect(entered()).toEqual(["partially_paid"]);
  await act(async () => void window.dispatchEvent(new Event("focus")));
  expect(fetchStatus).toHaveBeenCalledTimes(2);
  expect(entered()).toEqual(["partially_paid"]);
});

it("polls nothing while there is no invoice", async () => {
  setup({ invoiceId: null });
  await after(3 * POLL_INTERVAL_MS);
  expect(fetchStatus).not.toHaveBeenCalled();
});
