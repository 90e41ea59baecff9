import { expect, it } from "vitest";
import type { WithdrawalPage } from "../api/admin";
import { historyOf } from "./history";

const time = (minute: number) => `2026-11-26T12:${String(minute).padStart(2, "0")}:00.000000Z`;

const [ann, ben] = [
  { id: 7, username: "ann" },
  { id: 8, username: "ben" },
];
const request = {
  id: 17,
  user: { id: 2, username: "ada" },
  amount: "30.00",
  fee: "0.30",
  netAmount: "29.70",
  currency: "btc",
  status: "pending",
  reason: null,
  createdAt: time(0),
  decidedAt: null,
  decidedBy: null,
  payableFrom: null,
  delayReasons: [],
  payout: null,
};
const held = { sequence: 5, at: time(0), entry: "withdrawal", amount: "-30.00", balanceAfter: "70.00" };
const approved = { status: "approved", decidedAt: time(1), decidedBy: ann };
const payout = {
  state: "claimed",
  method: "manual",
  coinAmount: null,
  transactionId: null,
  sentAt: null,
  confirmedAt: null,
  failedAt: null,
  returnedAt: null,
  verifiedAt: null,
  stoppedAt: null,
  stopReason: null,
  problem: null,
};
const course = {
  claimedAt: time(1),
  requestedAt: null,
  providerId: null,
  batchId: null,
  sentBy: null,
  confirmedBy: null,
  failedBy: null,
  returnedBy: null,
  stoppedBy: null,
};
const lines = (parts: object, others: object = {}) =>
  historyOf({
    request: { ...request, ...parts },
    course: null,
    proposals: [],
    ledgerEntries: [],
    ...others,
  } as unknown as WithdrawalPage).map(({ by, what, note }) => [by, what, note]);

const REQUESTED = ["ada", "$30.00 in BTC requested", "$29.70 to send, fee $0.30"];

it("a pending request is held, and says why it waits", () => {
  const delayed = lines({ payableFrom: time(30), delayReasons: ["new_address"] }, { ledgerEntries: [held] });
  expect(delayed).toEqual([
    REQUESTED,
    ["Automatic", expect.stringMatching(/^Delayed until 26 Nov 2026, .*UTC/), "the address is new"],
    ["Automatic", "Held on the balance", "Ledger entry 5, balance $70.00"],
  ]);
});

it("what persons paid names them", () => {
  const paid = {
    ...payout,
    state: "confirmed",
    coinAmount: "0.0003",
    transactionId: "4a5e1e4b",
    sentAt: time(2),
    confirmedAt: time(3),
  };
  const by = { ...course, sentBy: ann, confirmedBy: ben };
  expect(lines({ ...approved, payout: paid }, { course: by })).toEqual([
    REQUESTED,
    ["ann", "Approved", ""],
    ["Automatic", "Taken up to be paid", "By hand"],
    ["ann", "Sent", "0.0003 BTC · transaction 4a5e1e4b"],
    ["ben", "Arrived", ""],
  ]);
});

it("a failure says why, and who returned the amount", () => {
  const failed = { ...payout, state: "returned", failedAt: time(2), returnedAt: time(3), problem: "no coins" };
  const by = { ...course, failedBy: ann, returnedBy: ben };
  const back = {
    ...held,
    sequence: 6,
    at: time(3),
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
  const sent = { ...payout, method: "provider", state: "sent", verifiedAt: time(3), sentAt: time(4) };
  const by = { ...course, requestedAt: time(2), providerId: "p1", batchId: "b1" };
  expect(lines({ ...approved, decidedBy: null, payout: sent }, { course: by }).slice(1)).toEqual([
    ["Automatic", "Approved", ""],
    ["Automatic", "Taken up to be paid", "By the provider"],
    ["Automatic", "Provider asked to create the payment", "Batch b1, payment p1"],
    ["Automatic", "Provider told to pay it", ""],
    ["Provider", "Sent", ""],
  ]);
});

it("a rejection has its reason, and a cancellation is the player's", () => {
  const rejected = { status: "rejected", decidedAt: time(1), decidedBy: ann, reason: "twice" };
  expect(lines(rejected)[1]).toEqual(["ann", "Rejected", "twice"]);
  const cancelled = { status: "cancelled", decidedAt: time(1) };
  expect(lines(cancelled)[1]).toEqual(["ada", "Cancelled by the player", ""]);
});
