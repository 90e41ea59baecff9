import { describe, expect, it } from "vitest";
import type { PaymentStatus, Review } from "../api/admin";
import { isConfirmable, readConfirmForm, restCentsOf, trimmed, userIdOf } from "./rules";

it.each([
  ["", null],
  ["  \t", null],
  ["  cheated ", "cheated"],
])("treats %j as the reason %j", (text, expected) => expect(trimmed(text)).toBe(expected));

it.each([
  ["12", 12],
  [" 12 ", 12],
  ["", null],
  ["0", null],
  ["-3", null],
  ["1.5", null],
  ["1e3", null],
  ["alice", null],
  ["1234567890123456", null],
])("parses %j as user ID %j", (text, expected) => expect(userIdOf(text)).toBe(expected));

const USER = "User ID is required to confirm a payment";
const AMOUNT = "Please enter a valid amount (> 0)";

describe("manual confirmation", () => {
  it.each([
    [
      { userId: "", amount: "0.00", currency: "", reason: " a test " },
      { field: "userId", text: USER },
    ],
    [
      { userId: "alice", amount: "5", currency: "USDT", reason: " a test " },
      { field: "userId", text: USER },
    ],
    [
      { userId: "7", amount: "0.00", currency: "", reason: " a test " },
      { field: "amount", text: AMOUNT },
    ],
    [
      { userId: "7", amount: "", currency: "USDT", reason: " a test " },
      { field: "amount", text: AMOUNT },
    ],
    [
      { userId: "7", amount: "-5", currency: "USDT", reason: " a test " },
      { field: "amount", text: AMOUNT },
    ],
    [
      { userId: "7", amount: "1e3", currency: "USDT", reason: " a test " },
      { field: "amount", text: AMOUNT },
    ],
    [
      { userId: "7", amount: "1,000", currency: "USDT", reason: " a test " },
      { field: "amount", text: AMOUNT },
    ],
    [
      { userId: "7", amount: "1.005", currency: "USDT", reason: " a test " },
      { field: "amount", text: AMOUNT },
    ],
    [
      { userId: "7", amount: "5", currency: " ", reason: " a test " },
      { field: "currency", text: "Please enter a currency" },
    ],
    [
      { userId: "7", amount: "5", currency: " USDT ", reason: " a test " },
      { userId: 7, amountCents: 500, currency: "USDT", reason: "a test" },
    ],
    [
      { userId: "7", amount: "0.01", currency: "BTC", reason: " a test " },
      { userId: 7, amountCents: 1, currency: "BTC", reason: "a test" },
    ],
    [
      { userId: "7", amount: "5", currency: "BTC", reason: " " },
      { field: "reason", text: "A reason is required" },
    ],
  ])("%j is parsed as %j", (form, expected) => expect(readConfirmForm(form)).toEqual(expected));

  it.each([
    ["25.01", { field: "amount", text: "At most $25.00 of this payment is left to credit" }],
    ["25", { userId: 7, amountCents: 2500, currency: "USDT", reason: "a test" }],
  ])("25.00 left, %s entered: %j", (amount, expected) =>
    expect(readConfirmForm({ userId: "7", amount, currency: "USDT", reason: " a test " }, 2500)).toEqual(expected),
  );
});

const review = (change: Partial<Review>) =>
  ({ paymentId: "5", kind: "overpaid", amount: "12.30", resolvedAt: null, ...change }) as Review;

describe("manual confirmation of a payment", () => {
  it.each([
    [{ is_processed: false, reviews: [], status: "waiting" }, true],
    [{ is_processed: false, reviews: ["wrong_asset"], status: "finished" }, true],
    [{ is_processed: false, reviews: ["unclear"], status: "refunded" }, false],
    [{ is_processed: true, reviews: [], status: "partially_paid" }, false],
    [{ is_processed: true, reviews: ["credited_too_much"], status: "finished" }, false],
    [{ is_processed: true, reviews: ["overpaid"], status: "finished" }, true],
    [{ is_processed: true, reviews: ["overpaid", "returned_after_credit"], status: "refunded" }, false],
  ])("%j is confirmable: %j", (payment, expected) =>
    expect(isConfirmable(payment as unknown as PaymentStatus)).toBe(expected),
  );

  it.each([
    [[review({})], 1230],
    [[review({ paymentId: "6" })], null],
    [[review({ amount: null })], null],
    [[review({ resolvedAt: "2026-11-21T12:00:00Z" })], null],
    [[review({ kind: "wrong_asset", amount: "99.00" }), review({})], 1230],
  ])("follows the reviews (%#)", (reviews, expected) => expect(restCentsOf(reviews, "5")).toBe(expected));
});
