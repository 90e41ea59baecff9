import { describe, expect, it } from "vitest";
import { feeCentsOf, refusalOf } from "./withdraw-rules";

describe("the fee", () => {
  it.each([
    [0, 0],
    [1, 1],
    [99, 1],
    [100, 1],
    [101, 2],
    [2000, 20],
    [2001, 21],
    [2500, 25],
    [102_005, 1021],
    [99_999_999_999_901, 1_000_000_000_000],
  ])("of %i cents is %i", (cents, fee) => expect(feeCentsOf(cents)).toBe(fee));
});

describe("validation of a withdrawal", () => {
  const INVALID = ["Invalid Amount", "Please enter a valid withdrawal amount."];
  const MINIMUM = ["Minimum Withdrawal", "The minimum withdrawal amount is $20.00."];
  const CURRENCY = ["Currency Required", "Please select a cryptocurrency for withdrawal"];
  const ADDRESS = ["Wallet Address Required", "Please enter a valid wallet address"];
  const BALANCE = ["Insufficient Balance", "Your withdrawal amount exceeds your available balance."];
  const LIMIT = [
    "Withdrawal Limit Exceeded",
    "You can only withdraw funds that have been wagered. Please play more games first.",
  ];
  // Each row breaks its own rule and as many later ones as possible.
  it.each([
    ["", "", "", INVALID],
    ["0", "", "", INVALID],
    ["-25", "", "", INVALID],
    ["1e3", "", "", INVALID],
    ["1,000", "", "", INVALID],
    ["20.005", "", "", INVALID],
    ["NaN", "", "", INVALID],
    ["0.01", "", "", MINIMUM],
    ["19.99", "", "", MINIMUM],
    ["500", "", "", CURRENCY],
    ["500", "btc", "", ADDRESS],
    ["500", "btc", "  \t ", ADDRESS],
    ["100.01", "btc", "somewhere", BALANCE],
    ["100.00", "btc", "somewhere", LIMIT],
    ["60.01", "btc", "somewhere", LIMIT],
    ["60", "btc", "somewhere", null],
    ["20", "btc", "somewhere", null],
    [" 20.5 ", "btc", " somewhere ", null],
  ] as const)("amount %j, currency %j, address %j", (amount, currency, walletAddress, expected) => {
    const refusal = refusalOf({ amount, currency, walletAddress }, { balanceCents: 10_000, availableCents: 6000 });
    expect(refusal && [refusal.title, refusal.text]).toEqual(expected);
  });
});
