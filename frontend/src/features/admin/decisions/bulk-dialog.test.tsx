import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError, ConnectionError } from "@/api/client";
import { type AdminWithdrawal, processWithdrawal } from "../api/admin";
import { BulkDialog, summaryOf } from "./bulk-dialog";

vi.mock("../api/admin", async (original) => ({ ...(await original<object>()), processWithdrawal: vi.fn() }));
const process = vi.mocked(processWithdrawal);

const request = (id: number, username: string, amount: string) =>
  ({
    id,
    userId: id * 10,
    user: { id: id * 10, username },
    amount,
    netAmount: amount,
    status: "pending",
    payableFrom: null,
  }) as AdminWithdrawal;
const REQUESTS = [request(1, "lena", "20.00"), request(2, "marco", "30.50"), request(3, "jade", "1000.00")];

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  process.mockReset();
});

function open(action: "approve" | "reject") {
  const onDecided = vi.fn();
  const onClose = vi.fn();
  render(<BulkDialog action={action} requests={REQUESTS} onDecided={onDecided} onClose={onClose} />);
  return { onDecided, onClose, dialog: screen.getByRole("dialog") };
}
async function press(name: string | RegExp) {
  // Buttons that have just appeared ignore presses.
  await act(() => vi.advanceTimersByTimeAsync(700));
  fireEvent.click(screen.getByRole("button", { name }));
  await act(() => vi.advanceTimersByTimeAsync(5000));
}

it("lists whom and how much, with the total", () => {
  const { dialog } = open("approve");
  expect(dialog).toHaveTextContent("$1,050.50");
  for (const text of ["lena #10", "marco #20", "jade #30", "$30.50"]) expect(dialog).toHaveTextContent(text);
  expect(within(dialog).getAllByRole("listitem")).toHaveLength(3);
  const buttons = within(dialog)
    .getAllByRole("button")
    .map((button) => button.textContent);
  expect(buttons.slice(-2)).toEqual(["Cancel", "Approve 3 requests"]);
});

it("decides all, with a key each, although one in the middle is refused", async () => {
  process.mockImplementation(async (id) => {
    if (id === 2) throw new ApiError(409, "Somebody was faster", { code: "already_decided", message: "" });
    return { done: request(id, "", "1.00") };
  });
  const { onDecided, onClose, dialog } = open("approve");
  await press("Approve 3 requests");
  expect(onDecided).toHaveBeenCalledTimes(2);
  expect(new Set(process.mock.calls.map(([, , key]) => key)).size).toBe(3);
  expect(dialog).toHaveTextContent("3 of 3: 2 done, 1 refused");
  expect(within(dialog).getAllByRole("listitem")[1]).toHaveTextContent("Somebody was faster");
  fireEvent.click(screen.getByRole("button", { name: "Done" }));
  expect(onClose).toHaveBeenCalledWith(true);
});

it("tries again with the same key what had no answer", async () => {
  process.mockImplementation(async (id) => {
    if (id === 3) throw new ConnectionError(new Error("lost"));
    return { done: request(id, "", "1.00") };
  });
  const { dialog, onDecided } = open("approve");
  await press("Approve 3 requests");
  expect(dialog).toHaveTextContent("2 done, 1 without an answer");
  process.mockImplementation(async (id) => ({ done: request(id, "", "1.00") }));
  const before = process.mock.calls.length;
  await press("Try Again (1)");
  expect(onDecided).toHaveBeenCalledTimes(3);
  const keysOfThird = process.mock.calls.filter(([id]) => id === 3).map(([, , key]) => key);
  expect(new Set(keysOfThird).size).toBe(1);
  expect(process.mock.calls.slice(before).map(([id]) => id)).toEqual([3]);
});

it("needs one reason to reject, and says so beside the field", async () => {
  process.mockImplementation(async (id) => ({ done: request(id, "", "1.00") }));
  open("reject");
  await press("Reject 3 requests");
  const field = screen.getByRole("textbox", { name: "Rejection Reason" });
  expect(field).toHaveAttribute("aria-invalid", "true");
  expect(field).toHaveAccessibleDescription(/reason/);
  expect(process).not.toHaveBeenCalled();
  fireEvent.change(field, { target: { value: "An exchange's address" } });
  await press("Reject 3 requests");
  expect(process.mock.calls.map(([id, body]) => [id, body])).toEqual(
    [1, 2, 3].map((id) => [id, { action: "reject", reason: "An exchange's address" }]),
  );
});

const result = (state: "done" | "refused" | "unsent") => ({ state, text: "" });

it("counts what became of them", () => {
  expect(summaryOf([result("done"), result("refused"), result("done")])).toBe("2 done, 1 refused");
  expect(summaryOf([result("unsent")])).toBe("1 not sent");
});
