import { expect, it } from "vitest";
import { counted } from "@/lib/format";
import { asLabel, groupsOfFour, inWords, paymentTone, signedDollars } from "./wording";

it.each([
  ["", []],
  ["bc1q", ["bc1q"]],
  ["bc1qar0sr", ["bc1q", "ar0s", "r"]],
])("groups %j", (address, expected) => expect(groupsOfFour(address)).toEqual(expected));

it("keeps every character of an address", () => {
  const address = "44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A";
  expect(groupsOfFour(address).join("")).toBe(address);
});

it("turns codes into words", () => {
  expect(inWords("withdrawal_approved_by_hand")).toBe("withdrawal approved by hand");
  expect(asLabel("balance_override")).toBe("Balance override");
  expect(asLabel("")).toBe("");
});

it.each([
  [0, "0 losses"],
  [1, "1 loss"],
  [1234, "1,234 losses"],
])("counts %i as %s", (count, expected) => expect(counted(count, "loss", "losses")).toBe(expected));

it.each([
  [123456, "+$1,234.56"],
  [-400, "−$4.00"],
  [0, "$0.00"],
])("signs %i as %s", (cents, expected) => expect(signedDollars(cents)).toBe(expected));

it.each([
  ["finished", "win"],
  ["confirmed", "win"],
  ["partially_paid", "amber"],
  ["waiting", "info"],
  ["confirming", "info"],
  ["sending", "info"],
  ["failed", "loss"],
  ["expired", "loss"],
  ["refunded", "loss"],
  ["something_new", "loss"],
])("shows %s as %s", (status, expected) => expect(paymentTone(status)).toBe(expected));
