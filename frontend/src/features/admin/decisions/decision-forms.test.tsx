import { fetched } from "@/test-support/network";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SessionProvider } from "@/api/session";
import { toastStore } from "@/components/toast-store";
import type { AdminUser } from "../api/admin";
import { AdjustDialog } from "./adjust-dialog";
import { BanDialog } from "./ban-dialogs";
import { ConfirmPaymentDialog } from "./confirm-payment-dialog";

const USER = {
  id: 7,
  username: "alice",
  balance: "10.00",
  availableToWithdraw: "4.00",
  status: "active",
} as AdminUser;
const handlers = { onCancel: vi.fn(), onDone: vi.fn(), onConflict: vi.fn(), onUnsure: vi.fn() };
const proposable = { ...handlers, onProposed: vi.fn() };
const NEEDED = "Adjustments of more than $100.00 need a second person.";
const sent: { path: string; body: unknown }[] = [];

/** Waits until the dialog's button accepts presses. */
const press = async (name: string) => {
  await waitFor(() => expect(screen.getByRole("button", { name })).toBeEnabled());
  await act(async () => void fireEvent.click(screen.getByRole("button", { name })));
};
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const error = () => toastStore.current()[0]?.description;
const show = (dialog: ReactNode) => render(<SessionProvider>{dialog}</SessionProvider>);

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  fetched.mockImplementation(async (request) => {
    const { pathname: path } = new URL(request.url);
    if (request.method === "POST") sent.push({ path, body: await request.json() });
    if (path.endsWith("/8")) return Response.json({ code: "not_found", message: "no" }, { status: 404 });
    const { balance, propose } = (sent.at(-1)?.body ?? {}) as { balance?: string; propose?: true };
    if (path.endsWith("/balance") && Number(balance) > 110)
      return propose === true
        ? Response.json({ id: 3 }, { status: 202 })
        : Response.json({ code: "second_person_required", message: NEEDED }, { status: 403 });
    if (path === "/api/user") return Response.json({ ...USER, id: 1 });
    return Response.json(path === "/api/admin/confirm-payment" ? { payment_id: "55" } : USER);
  });
});
afterEach(() => {
  cleanup();
  sent.length = 0;
  vi.clearAllMocks();
});

it("refuses a malformed balance, and sets one only if it is still the one shown", async () => {
  show(<AdjustDialog user={USER} {...proposable} onSeen={vi.fn()} />);
  await waitFor(() => expect(screen.getByLabelText("New Balance ($)")).toHaveFocus());
  type("New Balance ($)", "1e3");
  await press("Set Balance");
  expect(error()).toBe("Please enter a valid balance (numeric value >= 0)");
  expect(screen.getByLabelText("New Balance ($)")).toBeInvalid();
  expect(screen.getByLabelText("New Balance ($)")).toHaveFocus();
  expect(sent).toEqual([]);
  type("New Balance ($)", "30");
  expect(screen.getByRole("status")).toHaveTextContent("$10.00 → becomes $30.00 (+$20.00)");
  await press("Set to $30.00");
  expect(error()).toBe("A reason is required");
  expect(screen.getByLabelText("Reason")).toBeInvalid();
  type("Reason", " a lost round ");
  await press("Set to $30.00");
  await waitFor(() => expect(handlers.onDone).toHaveBeenCalledOnce());
  const body = { balance: "30.00", expectedBalance: "10.00", reason: "a lost round" };
  expect(sent).toEqual([{ path: "/api/admin/users/7/balance", body }]);
});

it("proposes what needs a second person, and only that", async () => {
  show(<AdjustDialog user={USER} {...proposable} onSeen={vi.fn()} />);
  type("New Balance ($)", "500");
  type("Reason", "a jackpot");
  await press("Set to $500.00");
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(NEEDED));
  // Another amount is another decision.
  type("New Balance ($)", "501");
  await waitFor(() => expect(screen.getByRole("alert")).toBeEmptyDOMElement());
  await press("Set to $501.00");
  await press("Propose");
  await waitFor(() => expect(proposable.onProposed).toHaveBeenCalledOnce());
  expect(proposable.onDone).not.toHaveBeenCalled();
  const body = { balance: "501.00", expectedBalance: "10.00", reason: "a jackpot", propose: true };
  expect(sent.at(-1)?.body).toEqual(body);
  expect(sent).toHaveLength(3);
});

it("requires a ban reason, and sends it trimmed", async () => {
  show(<BanDialog user={USER} {...handlers} />);
  type("Ban Reason", "   ");
  await press("Ban alice");
  expect(error()).toBe("Ban reason is required");
  expect(screen.getByLabelText("Ban Reason")).toBeInvalid();
  expect(screen.getByLabelText("Ban Reason")).toHaveFocus();
  type("Ban Reason", "  cheated ");
  await press("Ban alice");
  await waitFor(() => expect(handlers.onDone).toHaveBeenCalledOnce());
  expect(sent).toEqual([{ path: "/api/admin/users/7/status", body: { status: "banned", banReason: "cheated" } }]);
});

it("marks the field that prevents a confirmation, and keeps the input on the way back", async () => {
  const payment = { id: "55", idType: "payment", userId: null, restCents: null } as const;
  const onSettled = vi.fn();
  show(<ConfirmPaymentDialog payment={payment} onCancel={vi.fn()} onSettled={onSettled} />);
  await waitFor(() => expect(screen.getByLabelText("User ID")).toHaveFocus());
  type("User ID", "7");
  type("Amount ($)", "5");
  await press("Continue");
  await waitFor(() => expect(error()).toBe("A reason is required"));
  type("Reason", "it has arrived");
  for (const [id, amount, label, text] of [
    ["alice", "5", "User ID", "User ID is required to confirm a payment"],
    ["7", "1,000", "Amount ($)", "Please enter a valid amount (> 0)"],
    ["8", "5", "User ID", "There is no user with the ID 8"],
  ] as const) {
    type("User ID", id);
    type("Amount ($)", amount);
    await press("Continue");
    await waitFor(() => expect(error()).toBe(text));
    await waitFor(() => expect(screen.getByLabelText(label)).toBeInvalid());
    expect(screen.getByLabelText(label)).toHaveFocus();
  }
  type("User ID", "7");
  await press("Continue");
  await press("Back");
  expect(screen.getByLabelText("User ID")).toHaveValue("7");
  expect(screen.getByLabelText("Amount ($)")).toHaveValue("5");
  expect(sent).toEqual([]);
  await press("Continue");
  await press("Credit $5.00");
  await waitFor(() => expect(onSettled).toHaveBeenCalledOnce());
  expect(sent).toEqual([
    {
      path: "/api/admin/confirm-payment",
      body: {
        invoiceId: "55",
        idType: "payment",
        userId: 7,
        amount: "5.00",
        currency: "USDT",
        reason: "it has arrived",
      },
    },
  ]);
});
