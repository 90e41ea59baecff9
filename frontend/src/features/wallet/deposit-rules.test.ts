import { expect, it } from "vitest";
import { refusalOf } from "./deposit-rules";

const AMOUNT = ["Invalid Amount", "Please enter a valid deposit amount"];
const CURRENCY = ["Currency Required", "Please select a cryptocurrency"];

it.each([
  ["", "", AMOUNT],
  ["0", "", AMOUNT],
  ["0.00", "usdtsol", AMOUNT],
  ["-5", "usdtsol", AMOUNT],
  ["1e3", "usdtsol", AMOUNT],
  ["1,000", "usdtsol", AMOUNT],
  ["20.005", "usdtsol", AMOUNT],
  ["ten", "usdtsol", AMOUNT],
  ["100", "", CURRENCY],
  ["0.01", "usdtsol", null],
  ["100.5", "btc", null],
] as const)("a deposit of %j in %j", (amount, currency, expected) => {
  const refusal = refusalOf({ amount, currency });
  expect(refusal && [refusal.title, refusal.text]).toEqual(expected);
});
