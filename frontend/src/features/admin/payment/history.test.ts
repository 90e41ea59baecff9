import { expect, it } from "vitest";
import { ADA, BEN, minute, payment, paymentFacts, proposal, review } from "@/test-support/admin-money";
import type { AdminPayment } from "../api/admin";
import { historyOf, receivedOf } from "./history";

const facts = paymentFacts();
const deposit: AdminPayment["deposit"] = {
  id: 3,
  userId: ADA.id,
  user: ADA,
  amount: "100.00",
  creditedAmount: "40.00",
  currency: "btc",
  status: "pending",
  externalStatus: null,
  invoiceId: "77",
  isUnderReview: false,
  orderId: "gh-3",
  paymentIds: ["51"],
  createdAt: minute(0),
};
const credit: AdminPayment["credits"][number] = {
  number: 1,
  user: ADA,
  amount: "40.00",
  at: minute(3),
  ledgerSequence: 12,
  balanceAfter: "140.00",
  confirmedBy: null,
  reason: null,
  proposalId: null,
};
const lines = (parts: Partial<AdminPayment>) => historyOf(payment(parts)).map(({ by, what, note }) => [by, what, note]);

it("a payment in part goes from the request to the credit", () => {
  expect(lines({ facts, deposit, credits: [credit] })).toEqual([
    ["ada", "Deposit of $100.00 in BTC requested", "Deposit 3"],
    ["Provider", "Payment reported for the first time", "0.01 BTC requested"],
    ["Provider", "Amount received", "0.004 of 0.01 BTC"],
    ["Provider", "Last change: partially paid", "0.004 of 0.01 BTC"],
    ["Automatic", "$40.00 credited to ada", "ledger entry 12, balance $140.00"],
  ]);
  expect(historyOf(payment({ credits: [credit] }))[0]?.changeCents).toBe(4000);
});

it("a confirmation by two persons says who proposed, who approved, and why", () => {
  const decided = { decidedBy: BEN, decidedAt: minute(6) };
  const approved = proposal({ ...decided, state: "approved" });
  const byHand = {
    ...credit,
    amount: "700.00",
    at: minute(6),
    confirmedBy: BEN,
    reason: "it has arrived",
    proposalId: 4,
  };
  const closed = review({ resolvedAt: minute(6), resolvedBy: BEN, resolution: "700.00 was credited by hand" });
  expect(lines({ proposals: [approved], credits: [byHand], reviews: [closed] })).toEqual([
    ["Automatic", "Review opened: Too much was paid", "$700.00 in question · 2200.00 against a price of 1000.00"],
    ["ann", "Proposed: credit by hand", "Proposal 4 · $700.00 · ada · it has arrived · More than $500.00"],
    ["ben", "Proposal 4 approved", ""],
    ["ben", "$700.00 credited to ada by hand", "it has arrived · proposal 4 · ledger entry 12, balance $140.00"],
    ["ben", "Review resolved: Too much was paid", "700.00 was credited by hand"],
  ]);
  const expired = proposal({ state: "expired" });
  expect(lines({ proposals: [expired] })[1]).toEqual(["Automatic", "Proposal 4 expired", ""]);
  const refused = proposal({ ...decided, state: "refused", decisionReason: "too much" });
  expect(lines({ proposals: [refused] })[1]).toEqual(["ben", "Proposal 4 refused", "too much"]);
});

it("a proposal that names the invoice says so", () => {
  const { terms } = proposal();
  const forInvoice = proposal({ terms: { ...terms, paymentId: "77" } });
  expect(lines({ proposals: [forInvoice] })).toEqual([
    [
      "ann",
      "Proposed: credit by hand",
      "Proposal 4 · $700.00 · ada · for its invoice 77 · it has arrived · More than $500.00",
    ],
  ]);
});

it("a check at the provider is no part of it, because nobody is known to have made it", () => {
  const checked = paymentFacts({ checkedAt: minute(9) });
  expect(lines({ facts: checked })).toEqual(lines({ facts }));
});

it("a notification that was not applied is said to wait", () => {
  expect(lines({ notificationWaitsSince: minute(1) })).toEqual([
    ["Provider", "Notification that waits to be applied", "Not applied yet; it is tried again"],
  ]);
});

it.each([
  [{ actuallyPaid: null }, "Nothing yet"],
  [{ payAmount: null }, "0.004 BTC"],
  [{}, "0.004 of 0.01 BTC"],
])("what was received: %j", (parts, text) => {
  expect(receivedOf({ ...facts, ...parts })).toBe(text);
});
