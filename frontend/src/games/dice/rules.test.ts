import { describe, expect, it } from "vitest";
import { extraCent, odds, profitCents, refuseBet } from "./rules";

const limits = { balanceCents: 200_000, maximumCents: 100_000 };
const form = { amount: "10.00", target: "50", side: "over" } as const;

describe("validation of a bet", () => {
  const cases: [string, { amount?: string; target?: string }, string, string][] = [
    ["for nothing", { amount: "0" }, "Invalid Bet", "Bet amount must be greater than 0"],
    ["for no number", { amount: "ten" }, "Invalid Bet", "Bet amount must be greater than 0"],
    ["for half a cent", { amount: "0.005" }, "Invalid Bet", "Bet amount must be greater than 0"],
    [
      "above the balance first",
      { amount: "2000.01" },
      "Insufficient Balance",
      "You don't have enough funds to place this bet",
    ],
    ["above the limit", { amount: "1000.01" }, "Bet Exceeds Limit", "Maximum allowed is $1,000.00"],
    ["below the targets", { target: "0" }, "Invalid Target", "Target number must be between 1 and 98"],
    ["above the targets", { target: "99" }, "Invalid Target", "Target number must be between 1 and 98"],
    ["between the targets", { target: "1.5" }, "Invalid Target", "Target number must be between 1 and 98"],
    [
      "where no roll can win more than the bet",
      { target: "1" },
      "Invalid Target",
      "This bet cannot make a profit: at best it returns the stake. Choose a target from 2",
    ],
    [
      "for the amount before the target",
      { amount: "0", target: "0" },
      "Invalid Bet",
      "Bet amount must be greater than 0",
    ],
  ];
  it.each(cases)("%s", (_, change, title, description) => {
    expect(refuseBet({ ...form, ...change }, limits)).toEqual({ title, description });
  });

  it("accepts the limits", () => {
    for (const amount of ["0.01", "1000.00"]) expect(refuseBet({ ...form, amount }, limits)).toBeNull();
    for (const target of ["2", "98"]) expect(refuseBet({ ...form, target }, limits)).toBeNull();
  });
});

it("offers what the server pays", () => {
  expect([odds(form), profitCents(form)]).toEqual([{ chance: 0.5, multiplier: "1.98" }, 980]);
  expect([odds({ ...form, target: "98" })?.multiplier, profitCents({ ...form, target: "98" })]).toEqual([
    "49.50",
    48_500,
  ]);
  expect([
    odds({ ...form, target: "67", side: "under" })?.multiplier,
    profitCents({ ...form, target: "67", side: "under" }),
  ]).toEqual(["1.4776", 477]);
  expect([odds({ ...form, target: "1" })?.multiplier, profitCents({ ...form, target: "1" })]).toEqual(["1.00", 0]);
});

it("shows the chance of an extra cent", () => {
  expect(extraCent(form)).toBe(0);
  expect(extraCent({ ...form, amount: "0.01" })).toBe(0.98);
  for (const target of ["", "0", "99", "1.5"]) expect(extraCent({ ...form, target })).toBe(0);
});
