import { expect, it } from "vitest";
import type { AdminPayment } from "../api/admin";
import { historyOf, receivedOf } from "./history";

const time = (minute: number) => `2026-11-26T12:${String(minute).padStart(2, "0")}:00.000000Z`;

const facts = {
  status: "partially_paid",
  standing: "tracked",
  payCurrency: "btc",
  payAmount: "0.01",
  actuallyPaid: "0.004",
  creditedAmount: "40.00",
  firstSeenAt: time(1),
  updatedAt: time(3),
  checkedAt: null,
  receivedAt: time(2),
};
const user = { id: 2, username: "ada" };
const deposit = { id: 3, user, amount: "100.00", currency: "btc", createdAt: time(0) };
const credit = {
  number: 1,
  user,
  amount: "40.00",
  at: time(3),
  ledgerSequence: 12,
  balanceAfter: "140.00",
  confirmedBy: null,
  reason: null,
  proposalId: null,
};
const payment = (parts: object) =>
  ({
    paymentId: "51",
    facts: null,
    deposit: null,
    credits: [],
    reviews: [],
    proposals: [],
    notificationWaitsSince: null,
    nextAttemptAt: null,
    ...parts,
  }) as unknown as AdminPayment;
const lines = (parts: object) => historyOf(payment(parts)).map(({ by, what, note }) => [by, what, note]);

it("a payment in part goes from the request to the credit", () => {
  expect(lines({ facts, deposit, credits: [credit] })).toEqual([
    ["ada", "Deposit of $100.00 in BTC requested", "Deposit 3"],
    ["Provider", "Payment reported for the first time", "0.01 BTC requested"],
    ["Provider", "What was received had arrived", "0.004 of 0.01 BTC"],
    ["Provider", "Last change: partially paid", "0.004 of 0.01 BTC"],
    ["Automatic", "$40.00 credited to ada", "ledger entry 12, balance $140.00"],
  ]);
  expect(historyOf(payment({ credits: [credit] }))[0]?.changeCents).toBe(4000);
});

it("a confirmation by two persons says who proposed, who approved, and why", () => {
  const proposal = {
    id: 4,
    kind: "confirm_payment",
    amount: "700.00",
    user,
    reason: "it has arrived",
    cause: "More than $500.00",
    proposedBy: { id: 7, username: "ann" },
    proposedAt: time(5),
    expiresAt: time(59),
    state: "approved",
    decidedBy: { id: 8, username: "ben" },
    decidedAt: time(6),
    decisionReason: null,
  };
  const byHand = {
    ...credit,
    amount: "700.00",
    at: time(6),
    confirmedBy: { id: 8, username: "ben" },
    reason: "it has arrived",
    proposalId: 4,
  };
  const review = {
    kind: "overpaid",
    amount: "700.00",
    details: "2200.00 against a price of 1000.00",
    openedAt: time(4),
    resolvedAt: time(6),
    resolvedBy: { id: 8, username: "ben" },
    resolution: "700.00 was credited by hand",
  };
  expect(lines({ proposals: [proposal], credits: [byHand], reviews: [review] })).toEqual([
    ["Automatic", "Review opened: Too much was paid", "$700.00 in question · 2200.00 against a price of 1000.00"],
    ["ann", "Proposed: credit by hand", "Proposal 4 · $700.00 · ada · it has arrived · More than $500.00"],
    ["ben", "Proposal 4 approved", ""],
    [
      "ben",
      "$700.00 credited to ada by hand",
      "it has arrived · as proposal 4 asked · ledger entry 12, balance $140.00",
    ],
    ["ben", "Review resolved: Too much was paid", "700.00 was credited by hand"],
  ]);
  const expired = { ...proposal, state: "expired", decidedBy: null, decidedAt: null };
  expect(lines({ proposals: [expired] })[1]).toEqual(["Automatic", "Proposal 4 expired", ""]);
  const refused = { ...proposal, state: "refused", decisionReason: "too much" };
  expect(lines({ proposals: [refused] })[1]).toEqual(["ben", "Proposal 4 refused", "too much"]);
});

it("a notification without a payment is said to wait", () => {
  expect(lines({ notificationWaitsSince: time(1) })).toEqual([
    ["Provider", "Notification that waits to be applied", "The provider did not return the payment"],
  ]);
});

it.each([
  [{ actuallyPaid: null }, "Nothing yet"],
  [{ payAmount: null }, "0.004 BTC"],
  [{}, "0.004 of 0.01 BTC"],
])("what was received: %j", (parts, text) => {
  expect(receivedOf({ ...facts, ...parts } as Parameters<typeof receivedOf>[0])).toBe(text);
});
