import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api/client";
import { toast } from "@/components";
import { withdrawal } from "@/test-support/wallet";
import { createWithdrawal } from "./api/wallet";
import { WithdrawDialog } from "./withdraw-dialog";

const session = {
  user: { balance: "100.00", availableToWithdraw: "60.00" },
  refresh: vi.fn<() => Promise<void>>(),
  updateBalance: vi.fn(),
};
vi.mock("@/api/session", () => ({ useSession: () => session }));
vi.mock("./api/wallet", async (original) => ({ ...(await original<object>()), createWithdrawal: vi.fn() }));
vi.mock("@/api/hooks", () => ({
  useQuery: (path: string, query: unknown) => ({
    data: path.endsWith("/quote") && query !== null ? quote : undefined,
    error: undefined,
    mutate: vi.fn(),
    isValidating: false,
  }),
}));
const quote = { fee: "0.21", netAmount: "19.80", coinAmount: "0.00022", rate: "90000" };
vi.mock("@/components", async (original) => ({ ...(await original<object>()), toast: vi.fn() }));
const [create, toastMock] = [vi.mocked(createWithdrawal), vi.mocked(toast)];

const amount = () => screen.getByLabelText("Amount (USD)");
const address = () => screen.getByLabelText("Wallet address");
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const click = (name: string | RegExp) => act(async () => void fireEvent.click(screen.getByRole("button", { name })));
/** The fee, the net amount, and about how much of the coin. */
const cost = () =>
  [...(screen.getByText("Processing fee (1%)").parentElement?.querySelectorAll("dd") ?? [])].map(
    (shown) => shown.textContent,
  );

function open() {
  const onOpenChange = vi.fn();
  render(<WithdrawDialog open onOpenChange={onOpenChange} />);
  return onOpenChange;
}

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  create.mockResolvedValue(withdrawal({ newBalance: "75.00", availableToWithdraw: "35.00" }));
});
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
  vi.unstubAllGlobals();
});

it("updates the cost while typing", () => {
  open();
  expect(cost()).toEqual(["–", "–", "–"]);
  type(amount(), "20.01");
  expect(cost()).toEqual(["$0.21", "BTC worth $19.80", "–"]);
  type(amount(), "1e3");
  expect(cost()).toEqual(["–", "–", "–"]);
  fireEvent.click(screen.getByRole("button", { name: "Withdraw the full available amount" }));
  expect(amount()).toHaveValue("60.00");
  expect(cost()).toEqual(["$0.60", "BTC worth $59.40", "–"]);
});

it("shows about how much of the coin arrives once typing pauses", async () => {
  vi.useFakeTimers();
  open();
  type(amount(), "19.99");
  await act(() => vi.advanceTimersByTimeAsync(400));
  expect(cost()[2]).toBe("–");
  type(amount(), "20.01");
  expect(cost()[2]).toBe("–");
  await act(() => vi.advanceTimersByTimeAsync(400));
  expect(cost()[2]).toBe("about 0.00022 BTC");
  vi.useRealTimers();
});

it("sends one request, shows the new balance and closes", async () => {
  const onOpenChange = open();
  type(amount(), "25");
  type(address(), "  bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 ");
  const form = amount().closest("form");
  await act(async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) if (form) fireEvent.submit(form);
  });
  expect(create).toHaveBeenCalledExactlyOnceWith({
    amount: "25.00",
    currency: "btc",
    walletAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  });
  expect(session.updateBalance).toHaveBeenCalledWith({ newBalance: "75.00", availableToWithdraw: "35.00" });
  expect(toastMock).toHaveBeenCalledExactlyOnceWith({
    title: "Withdrawal Requested",
    description: "Your withdrawal request has been submitted for processing.",
  });
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false);
});

it("marks the field that the server refuses, and stays open", async () => {
  create.mockRejectedValue(
    new ApiError(400, "This is not a valid BTC address", {
      message: "This is not a valid BTC address",
      code: "invalid_address",
    }),
  );
  const onOpenChange = open();
  type(amount(), "25");
  type(address(), "nonsense");
  await click("Request Withdrawal");
  expect(toastMock).toHaveBeenCalledExactlyOnceWith({
    title: "Error",
    description: "This is not a valid BTC address",
    variant: "destructive",
  });
  expect(address()).toBeInvalid();
  expect(address()).toHaveFocus();
  expect(address()).toHaveValue("nonsense");
  expect(onOpenChange).not.toHaveBeenCalled();
});

it("reports invalid input before anything is sent", async () => {
  open();
  for (const [value, title] of [
    ["-1", "Invalid Amount"],
    ["19.99", "Minimum Withdrawal"],
    ["500", "Wallet Address Required"],
  ]) {
    type(amount(), value ?? "");
    await click("Request Withdrawal");
    expect(toastMock).toHaveBeenLastCalledWith(expect.objectContaining({ title, variant: "destructive" }));
  }
  expect(create).not.toHaveBeenCalled();
});

it("has a message for a lost response", async () => {
  create.mockRejectedValue(new TypeError("Failed to fetch"));
  open();
  type(amount(), "25");
  type(address(), "somewhere");
  await click("Request Withdrawal");
  expect(toastMock).toHaveBeenLastCalledWith({
    title: "Error",
    description: "Failed to create withdrawal request",
    variant: "destructive",
  });
  // The request may still have been accepted.
  expect(session.refresh).toHaveBeenCalledTimes(2);
});
