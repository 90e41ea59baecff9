import { expect, it } from "vitest";
import { ANN, BEN, course, minute, payout, withdrawal, withdrawalPage } from "@/test-support/admin-money";
import type { WithdrawalPage } from "../api/admin";
import { historyOf } from "./history";

type Request = WithdrawalPage["request"];
const held: WithdrawalPage["ledgerEntries"][number] = {
  sequence: 5,
  at: minute(0),
  entry: "withdrawal",
  reference: "withdrawal:17",
  amount: "-30.00",
  balanceAfter: "70.00",
};
const approved: Partial<Request> = { status: "approved", decidedAt: minute(1), decidedBy: ANN };
const lines = (parts: Partial<Request>, others: Partial<WithdrawalPage> = {}) =>
  historyOf(withdrawalPage({ request: withdrawal(parts), ...others })).map(({ by, what, note }) => [by, what, note]);

const REQUESTED = ["ada", "$30.00 in BTC requested", "$29.70 to send, fee $0.30"];

it("a pending request is held, and says why it waits", () => {
  const delayed = lines({ payableFrom: minute(30), delayReasons: ["new_address"] }, { ledgerEntries: [held] });
  expect(delayed).toEqual([
    REQUESTED,
    ["Automatic", expect.stringMatching(/^Delayed until 26 Nov 2026, .*UTC/), "the address is new"],
    ["Automatic", "Held for a withdrawal", "Ledger entry 5, balance $70.00"],
  ]);
});

it("what persons paid names them", () => {
  const paid = payout({
    state: "confirmed",
    coinAmount: "0.0003",
    transactionId: "4a5e1e4b",
    sentAt: minute(2),
    confirmedAt: minute(3),
  });
  const by = course({ sentBy: ANN, confirmedBy: BEN });
  expect(lines({ ...approved, payout: paid }, { course: by })).toEqual([
    REQUESTED,
    ["ann", "Approved", ""],
    ["Automatic", "Taken up to be paid", "By hand"],
    ["ann", "Sent", "0.0003 BTC · transaction 4a5e1e4b"],
    ["ben", "Arrived", ""],
  ]);
});

it("a failure says why, and who returned the amount", () => {
  const failed = payout({ state: "returned", failedAt: minute(2), returnedAt: minute(3), problem: "no coins" });
  const by = course({ failedBy: ANN, returnedBy: BEN });
  const back: typeof held = {
    ...held,
    sequence: 6,
    at: minute(3),
    entry: "withdrawal_returned",
    amount: "30.00",
    balanceAfter: "100.00",
  };
  expect(lines({ ...approved, payout: failed }, { course: by, ledgerEntries: [back] }).slice(3)).toEqual([
    ["ann", "Failed", "no coins"],
    ["ben", "Amount returned", ""],
    ["Automatic", "Returned to the balance", "Ledger entry 6, balance $100.00"],
  ]);
});

it("what the provider paid names its batch", () => {
  const sent = payout({ method: "provider", state: "sent", verifiedAt: minute(3), sentAt: minute(4) });
  const by = course({ requestedAt: minute(2), providerId: "p1", batchId: "b1" });
  expect(lines({ ...approved, decidedBy: null, payout: sent }, { course: by }).slice(1)).toEqual([
    ["Automatic", "Approved", ""],
    ["Automatic", "Taken up to be paid", "By the provider"],
    ["Automatic", "Provider asked to create the payment", "Batch b1, payment p1"],
    ["Automatic", "Provider told to pay it", ""],
    ["Provider", "Sent", ""],
  ]);
});

it("a rejection has its reason, and a cancellation is the player's", () => {
  const rejected: Partial<Request> = { status: "rejected", decidedAt: minute(1), decidedBy: ANN, reason: "twice" };
  expect(lines(rejected)[1]).toEqual(["ann", "Rejected", "twice"]);
  const cancelled: Partial<Request> = { status: "cancelled", decidedAt: minute(1) };
  expect(lines(cancelled)[1]).toEqual(["ada", "Cancelled by the player", ""]);
});
