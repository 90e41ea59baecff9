import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError, type ErrorCode } from "@/api/client";
import { toast } from "@/components";
import { reloadPage } from "@/lib/reload";
import { completedStatus, depositStatus, openDeposit } from "@/test-support/wallet";
import { createDeposit, type DepositStatus, fetchDepositStatus, type OpenDeposit } from "./api/wallet";
import { DepositDialog } from "./deposit-dialog";

const refresh = vi.fn<() => Promise<void>>();
let excludedUntil: string | undefined;
vi.mock("@/api/session", () => ({
  useSession: () => ({ user: null, refresh }),
  useUser: () => ({ excludedUntil }),
}));
vi.mock("./api/wallet", async (original) => ({
  ...(await original<object>()),
  createDeposit: vi.fn(),
  fetchDepositStatus: vi.fn(),
}));
const { coins, unpaid } = vi.hoisted(() => ({ coins: [] as object[], unpaid: [] as object[] }));
vi.mock("@/api/hooks", () => ({
  useQuery: () => ({ data: coins, error: undefined, mutate: vi.fn(), isValidating: false }),
}));
vi.mock("./api/wallet-lists", () => ({ useDeposits: () => ({ entries: unpaid }), notifyWalletChanged: vi.fn() }));
vi.mock("@/components", async (original) => ({ ...(await original<object>()), toast: vi.fn() }));
vi.mock("@/lib/reload", () => ({ reloadPage: vi.fn() }));
const [create, fetchStatus, toastMock, reload] = [
  vi.mocked(createDeposit),
  vi.mocked(fetchDepositStatus),
  vi.mocked(toast),
  vi.mocked(reloadPage),
];

const button = (name: string) => screen.getByRole("button", { name });
const click = (name: string) => act(async () => void fireEvent.click(button(name)));
const poll = (status?: DepositStatus) => {
  if (status) fetchStatus.mockResolvedValue(status);
  return act(() => vi.advanceTimersByTimeAsync(5000));
};
const titles = () => toastMock.mock.calls.map(([{ title }]) => title);

function open(deposit?: OpenDeposit) {
  const onOpenChange = vi.fn();
  const dialog: ReactNode = <DepositDialog open onOpenChange={onOpenChange} deposit={deposit} />;
  render(dialog);
  return onOpenChange;
}

async function openInvoice() {
  const onOpenChange = open();
  fireEvent.change(screen.getByLabelText("Amount (USD)"), { target: { value: "100" } });
  await click("Create Invoice");
  return onOpenChange;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  refresh.mockResolvedValue();
  create.mockResolvedValue({ deposit: openDeposit(), invoiceUrl: "https://pay.example/4522" });
  fetchStatus.mockResolvedValue(depositStatus());
});
afterEach(() => {
  coins.length = 0;
  excludedUntil = undefined;
  unpaid.length = 0;
  cleanup();
  vi.resetAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("shows the coin's minimum and the operator's maximum before the amount is sent", () => {
  coins.push({
    code: "usdtsol",
    label: "USDT on Solana",
    isAvailable: true,
    minimumDeposit: "5.12",
    maximumDeposit: "100000.00",
    maximumWithdrawal: "1.00",
  });
  open();
  expect(screen.getByText("Minimum $5.12, maximum $100,000.00.")).toBeInTheDocument();
});

it("offers no deposit while the player is excluded", () => {
  excludedUntil = "9998-12-31T23:59:59Z";
  open();
  expect(screen.getByText(/excluded yourself permanently/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Create Invoice" })).toBeNull();
});

it("says when the player's own limit allows a refused deposit", async () => {
  const until = "2026-11-26T00:00:00Z";
  const body = { code: "deposit_limit_reached", message: "Too much for your limit.", until } as const;
  create.mockRejectedValue(new ApiError(422, body.message, body));
  await openInvoice();
  expect(screen.getByRole("alert")).toHaveTextContent("Too much for your limit.");
  expect(screen.getByText(/^By your clock: .*2026/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Your limits" })).toHaveAttribute("href", "/settings?tab=limits");
});

it("says that a coin is currently not accepted", () => {
  coins.push({
    code: "usdtsol",
    label: "USDT on Solana",
    isAvailable: false,
    minimumDeposit: "0.01",
    maximumDeposit: "100.00",
    maximumWithdrawal: "1.00",
  });
  open();
  expect(
    screen.getByText("USDT on Solana cannot be deposited at the moment. Please choose another cryptocurrency."),
  ).toBeInTheDocument();
});

it("shows three unpaid deposits, each with a button to reopen it", async () => {
  const inProgress = openDeposit({ id: 9, externalStatus: "confirming" });
  unpaid.push(
    openDeposit({ id: 1 }),
    openDeposit({ id: 2, amount: "20.00", invoiceUrl: "https://pay.example/20" }),
    inProgress,
  );
  open();
  expect(screen.queryByRole("region", { name: "Unpaid deposits" })).toBeNull();
  cleanup();
  unpaid.push(openDeposit({ id: 3, amount: "30.00" }));
  open();
  expect(screen.getAllByRole("button", { name: /^Reopen/ })).toHaveLength(3);
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: /Reopen the deposit of \$20\.00/ })));
  expect(screen.getByRole("link", { name: /Open Payment Page/ })).toHaveAttribute("href", "https://pay.example/20");
  expect(create).not.toHaveBeenCalled();
});

it.each<[ErrorCode, string]>([
  ["above_maximum", "Amount (USD)"],
  ["coin_not_taken", "Currency"],
])("marks the field that the server's refusal %s is about", async (code, label) => {
  create.mockRejectedValue(new ApiError(422, "No.", { code, message: "No." }));
  await openInvoice();
  expect(screen.getByLabelText(label)).toHaveAttribute("aria-invalid", "true");
});

it("goes from the form to the invoice and through every stage", async () => {
  const onOpenChange = await openInvoice();
  expect(create).toHaveBeenCalledExactlyOnceWith({ amount: "100.00", cryptoCurrency: "usdtsol" });
  const link = screen.getByRole("link", { name: /Open Payment Page/ });
  expect(link).toHaveAttribute("href", "https://pay.example/4522");
  expect(link).toHaveAttribute("target", "_blank");
  expect(screen.getByRole("img", { name: "QR code of the payment page" })).toBeInTheDocument();
  expect(button("Cancel")).toBeInTheDocument();
  await poll(depositStatus({ external_status: "sending" }));
  expect(button("Wait")).toBeInTheDocument();
  await poll(depositStatus({ external_status: "partially_paid", creditedAmount: "40.00" }));
  expect(button("OK")).toBeInTheDocument();
  expect(refresh).toHaveBeenCalledTimes(1);
  await poll();
  await poll(completedStatus());
  expect(button("Done")).toBeInTheDocument();
  expect(refresh).toHaveBeenCalledTimes(2);
  expect(titles()).toEqual([
    "Invoice Created",
    "Payment Detected!",
    "Partial Payment Detected!",
    "Deposit Successful!",
  ]);
  await act(() => vi.advanceTimersByTimeAsync(1999));
  expect(reload).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false);
  expect(reload).toHaveBeenCalledOnce();
});

it("creates one invoice even on repeated clicks", async () => {
  create.mockReturnValue(new Promise(() => undefined));
  open();
  fireEvent.change(screen.getByLabelText("Amount (USD)"), { target: { value: "100" } });
  const form = screen.getByLabelText("Amount (USD)").closest("form");
  await act(async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) if (form) fireEvent.submit(form);
  });
  expect(create).toHaveBeenCalledOnce();
  expect(button("Create Invoice")).toBeDisabled();
});

it("reports and marks an invalid amount", async () => {
  open();
  for (const value of ["", "0", "1e3", "1,000", "20.005", "-5"]) {
    fireEvent.change(screen.getByLabelText("Amount (USD)"), { target: { value } });
    await click("Create Invoice");
    expect(toastMock).toHaveBeenLastCalledWith({
      title: "Invalid Amount",
      description: "Please enter a valid deposit amount",
      variant: "destructive",
    });
    expect(screen.getByLabelText("Amount (USD)")).toBeInvalid();
  }
  expect(toastMock).toHaveBeenCalledTimes(6);
  expect(create).not.toHaveBeenCalled();
});

it.each([
  [new ApiError(422, "The provider does not take it", {}), "The provider does not take it"],
  [new TypeError("Failed to fetch"), "Failed to create payment invoice"],
])("says why no invoice was created, and keeps the input: %s", async (error, description) => {
  create.mockRejectedValue(error);
  await openInvoice();
  expect(toastMock).toHaveBeenCalledExactlyOnceWith({ title: "Error", description, variant: "destructive" });
  expect(screen.getByLabelText("Amount (USD)")).toHaveValue("100");
});

it.each([
  ["Cancel", depositStatus(), "Close, keep the invoice"],
  ["Wait", depositStatus({ external_status: "confirmed" }), "Close, keep the invoice"],
])("asks before closing: %s", async (label, status, confirmation) => {
  const onOpenChange = await openInvoice();
  await poll(status);
  for (const close of [
    () => click(label),
    () => click("Close"),
    () => act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" })),
  ]) {
    await close();
    expect(screen.getByText(/already sent will still be credited/)).toBeInTheDocument();
    await click("Keep waiting");
    expect(screen.queryByText(/already sent will still be credited/)).not.toBeInTheDocument();
  }
  expect(onOpenChange).not.toHaveBeenCalled();
  await click(label);
  await click(confirmation);
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false);
  expect(reload).not.toHaveBeenCalled();
});

it.each([
  ["OK", depositStatus({ external_status: "partially_paid", creditedAmount: "40.00" })],
  ["Close", depositStatus({ external_status: "expired" })],
])("closes without asking: %s", async (label, status) => {
  const onOpenChange = await openInvoice();
  await poll(status);
  await act(async () => void fireEvent.click(screen.getAllByRole("button", { name: label }).at(-1) ?? document.body));
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false);
});

it("withdraws the question once the payment has answered it", async () => {
  await openInvoice();
  await click("Cancel");
  await poll(completedStatus());
  expect(screen.queryByText(/already sent will still be credited/)).not.toBeInTheDocument();
  expect(button("Done")).toBeInTheDocument();
});

it("continues a reopened deposit at its current stage", async () => {
  fetchStatus.mockResolvedValue(
    depositStatus({ external_status: "partially_paid", creditedAmount: "40.00", isUnderReview: true }),
  );
  open(openDeposit());
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(titles()).toEqual(["Partial Payment Detected!"]);
  expect(screen.getByText(/\$40\.00 of \$100\.00 was credited/)).toBeInTheDocument();
  expect(screen.getByText(/our team is reviewing it/)).toBeInTheDocument();
  await poll();
  expect(titles()).toHaveLength(1);
  expect(create).not.toHaveBeenCalled();
});
