import { describe, expect, it } from "vitest";
import { offer, refuseBet } from "./rules";

const limits = { balanceCents: 200_000, maximumCents: 100_000 };
const form = { amount: "10.00", target: 50, side: "over" } as const;

describe("a bet is refused", () => {
  const cases: [string, Partial<typeof form> | { amount?: string; target?: number }, string, string][] = [
    ["for nothing", { amount: "0" }, "Invalid Bet", "Bet amount must be greater than 0"],
    ["for no number", { amount: "ten" }, "Invalid Bet", "Bet amount must be greater than 0"],
    ["for half a cent", { amount: "0.005" }, "Invalid Bet", "Bet amount must be greater than 0"],
    ["above the balance first", { amount: "2000.01" }, "Insufficient Balance", "You don't have enough funds to place this bet"],
    ["above the limit", { amount: "1000.01" }, "Bet Exceeds Limit", "Maximum allowed is $1000.00"],
    ["below the targets", { target: 0 }, "Invalid Target", "Target number must be between 1 and 98"],
    ["above the targets", { target: 99 }, "Invalid Target", "Target number must be between 1 and 98"],
    ["between the targets", { target: 1.5 }, "Invalid Target", "Target number must be between 1 and 98"],
    ["for the amount before the target", { amount: "0", target: 0 }, "Invalid Bet", "Bet amount must be greater than 0"],
  ];
  it.each(cases)("%s", (_, change, title, description) => {
    expect(refuseBet({ ...form, ...change }, limits)).toEqual({ title, description });
  });

  it("and taken at the limits", () => {
    for (const amount of ["0.01", "1000.00"]) expect(refuseBet({ ...form, amount }, limits)).toBeNull();
    for (const target of [1, 98]) expect(refuseBet({ ...form, target }, limits)).toBeNull();
  });
});

it("offers what the server pays", () => {
  expect(offer(form)).toEqual({ chance: 0.5, multiplier: "1.98", payoutCents: 1980, profitCents: 980 });
  expect(offer({ ...form, target: 98 })).toMatchObject({ multiplier: "49.50", payoutCents: 49_500 });
  expect(offer({ ...form, target: 67, side: "under" })).toMatchObject({ multiplier: "1.4776", payoutCents: 1477 });
  expect(offer({ ...form, target: 1 })).toMatchObject({ multiplier: "1.00", profitCents: 0 });
});
