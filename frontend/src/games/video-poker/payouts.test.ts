import { expect, it } from "vitest";
import { payoutCents } from "./payouts";

it("pays multiples of the bet", () => {
  expect(payoutCents("JACKS_OR_BETTER", 300)).toBe(300);
  expect(payoutCents("FULL_HOUSE", 300)).toBe(2400);
  expect(payoutCents("HIGH_CARD", 300)).toBe(0);
});

it("pays the full royal flush at the maximum bet only", () => {
  expect(payoutCents("ROYAL_FLUSH", 900)).toBe(225_000);
  expect(payoutCents("ROYAL_FLUSH", 1000)).toBe(800_000);
});
