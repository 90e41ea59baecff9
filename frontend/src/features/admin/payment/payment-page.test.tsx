import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, expect, it, vi } from "vitest";
import { BrowserRouter } from "@/lib/address";
import { ANN, minute, payment, paymentFacts, review } from "@/test-support/admin-money";
import { checkPayment, fetchPayment, type PaymentCheck } from "../api/admin";
import { PaymentPage } from "./payment-page";

const session = vi.hoisted(() => ({
  user: { id: 7, permissions: ["check_payments", "confirm_payments", "resolve_reviews"] },
  refresh: vi.fn(),
}));
vi.mock("@/api/session", () => ({ useUser: () => session.user, useSession: () => session }));
vi.mock("../api/admin", async (original) => ({
  ...(await original<object>()),
  checkPayment: vi.fn(),
  fetchPayment: vi.fn(),
}));
const [fetched, checked] = [vi.mocked(fetchPayment), vi.mocked(checkPayment)];
const CHECK: PaymentCheck = {
  payment_id: "51",
  id_type: "payment",
  api_status: "finished",
  local_status: null,
  actually_paid: null,
  pay_amount: null,
  pay_currency: null,
  price_amount: null,
  order_id: null,
  deposit_id: null,
  user_id: null,
  last_checked: minute(9),
};

afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

async function open(parts: Parameters<typeof payment>[0]) {
  fetched.mockImplementation(async () => payment(parts));
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <BrowserRouter>
        <PaymentPage paymentId="51" />
      </BrowserRouter>
    </SWRConfig>,
  );
  await screen.findByRole("heading", { name: "Payment 51" });
}
const NOTHING = paymentFacts({ creditedAmount: "0.00" });
const ACTS = ["Check Status", "Confirm…", "Check Now 51", "Confirm by hand 51"];

it.each([
  ["without a review", { facts: NOTHING }, ["Check Status", "Confirm…"]],
  ["credited", { facts: paymentFacts() }, ["Check Status"]],
  ["not looked up", {}, ["Check Status"]],
  [
    "that is unclear",
    { facts: NOTHING, reviews: [review({ kind: "unclear" })] },
    ["Check Now 51", "Confirm by hand 51"],
  ],
  ["that is unfetchable", { reviews: [review({ kind: "unfetchable" })] }, ["Check Now 51"]],
  [
    "with a review that does not confirm",
    { facts: NOTHING, reviews: [review({ kind: "unfetchable" })] },
    ["Confirm…", "Check Now 51"],
  ],
  ["resolved", { facts: NOTHING, reviews: [review({ resolvedAt: minute(8) })] }, ["Check Status", "Confirm…"]],
])("each act is offered once for a payment %s", async (_, parts, acts) => {
  await open(parts);
  const offered = ACTS.filter((name) => screen.queryByRole("button", { name }) !== null);
  expect(offered).toEqual(acts);
});

it.each([
  ["of a player", 2, 0],
  ["of the administrator", ANN.id, 1],
  ["of nobody", null, 0],
])("a check refreshes one's own balance if the payment turns out to be one's own: %s", async (_, userId, count) => {
  await open({});
  checked.mockImplementation(async () => ({ ...CHECK, user_id: userId }));
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Check Status" })));
  await waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
  expect(session.refresh).toHaveBeenCalledTimes(count);
});

it("what nobody has looked up is not said to be without a deposit", async () => {
  await open({ notificationWaitsSince: minute(1) });
  expect(screen.getByText("Not looked up yet")).toBeVisible();
  expect(screen.getByRole("group", { name: "Status" })).toHaveTextContent("Deposit not known yet");
  cleanup();
  await open({ facts: NOTHING });
  expect(screen.getByRole("group", { name: "Status" })).toHaveTextContent("Belongs to no deposit");
  expect(screen.getByText("Last checked by an administrator").closest("div")).toHaveTextContent("Never");
});
