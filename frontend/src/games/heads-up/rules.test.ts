import { describe, expect, it } from "vitest";
import { cardsOf } from "@/test-support/cards";
import { completeHand, headsUpHand, settledRound } from "@/test-support/hands";
import { costCents, ending, netCents, potOf, qualification, refuseAction, refuseDeal, settledFrom } from "./rules";

const limits = { balanceCents: 200_000, maximumCents: 100_000 };

describe("validation of a hand", () => {
  const cases = [
    ["0", "Invalid Bet", "Bet amount must be greater than 0"],
    ["", "Invalid Bet", "Bet amount must be greater than 0"],
    ["-5", "Invalid Bet", "Bet amount must be greater than 0"],
    ["4.99", "Invalid Bet", "Minimum allowed is $5.00"],
    ["7", "Invalid Bet", "The bet goes in steps of $5.00"],
    ["2005", "Insufficient Balance", "You don't have enough funds to place this bet"],
    ["1005", "Bet Exceeds Limit", "Maximum allowed is $1,000.00"],
  ];
  it.each(cases)("a bet of %s", (amount = "", title, description) => {
    expect(refuseDeal(amount, limits)).toEqual({ title, description });
  });

  it("accepts the limits", () => {
    for (const amount of ["5", "5.00", "25.00", "1000"]) expect(refuseDeal(amount, limits)).toBeNull();
  });
});

it("shows what each action costs, and when the balance is too low", () => {
  const hand = headsUpHand(1);
  expect((["fold", "call", "raise"] as const).map((action) => costCents(hand, action))).toEqual([0, 2500, 5000]);
  expect(refuseAction(hand, "fold", 0)).toBeNull();
  expect(refuseAction(hand, "call", 2500)).toBeNull();
  expect(refuseAction(hand, "raise", 4999)?.title).toBe("Insufficient Balance");
});

it("computes the pot: twice the bet, what is added, and what the house matches", () => {
  expect(potOf(headsUpHand(1))).toEqual({ openingCents: 5000, addedCents: 0, matchedCents: 0, totalCents: 5000 });
  expect(potOf(completeHand(1)).totalCents).toBe(10_000);
  expect(potOf(completeHand(1, { action: "raise" })).totalCents).toBe(15_000);
  expect(potOf(completeHand(1, { action: "raise", houseQualifies: false })).totalCents).toBe(10_000);
  expect(potOf(completeHand(1, { action: "fold", houseQualifies: true })).totalCents).toBe(5000);
});

it("describes the end of a hand", () => {
  expect(ending(completeHand(1))).toEqual({ title: "You Won!", description: "Pair against Pair: you won $50.00" });
  expect(netCents(completeHand(1))).toBe(5000);
  expect(ending(completeHand(1, { outcome: "push", winAmount: "50.00" })).title).toBe("Push");
  expect(ending(completeHand(1, { outcome: "loss", winAmount: "25.00" })).description).toBe(
    "Pair against Pair: you lost $25.00",
  );
  expect(
    ending(completeHand(1, { outcome: "fold", action: "fold", stakedAmount: "25.00", winAmount: "0.00" })),
  ).toEqual({ title: "You Lost", description: "You folded and lost $25.00" });
  expect(qualification(completeHand(1))).toContain("The house qualifies");
  expect(qualification(completeHand(1, { houseQualifies: false, action: "raise" }))).toContain(
    "does not qualify, having less than a pair of threes: your raise was returned",
  );
});

it("reconstructs a hand that ended elsewhere from its details", () => {
  const headsUp = {
    playerCards: cardsOf("AS KD"),
    houseCards: cardsOf("7S 4D"),
    board: cardsOf("2C 7D 9H AC JS"),
    action: "raise",
    outcome: "win",
    houseQualifies: true,
    openingBetAmount: "25.00",
    stakedAmount: "75.00",
  } as const;
  const known = headsUpHand(5);
  expect(settledFrom(known, settledRound(5, { winAmount: "150.00", headsUp }))).toMatchObject({
    result: "complete",
    playerHand: "Pair",
    houseHand: "Pair",
    isWin: true,
    winAmount: "150.00",
    stakedAmount: "75.00",
  });
  expect(settledFrom(known, settledRound(5, {}))).toBeNull();
});
