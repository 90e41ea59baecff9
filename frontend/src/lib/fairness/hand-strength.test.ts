import { describe, expect, it } from "vitest";
import type { Card } from "@/lib/cards";
import { cardsOf } from "@/test-support/cards";
import { newDeck, rankOf } from "./cards";
import { categoryOf, compareStrengths, type Strength, strengthOf } from "./hand-strength";

/** A second implementation of the rules for five cards: by the shape of the counts, then sorted ranks. */
function referenceStrength(cards: readonly Card[]): Strength {
  const ranks = cards.map(rankOf).toSorted((a, b) => b - a);
  const countOf = (rank: number) => ranks.filter((each) => each === rank).length;
  const ordered = ranks.toSorted((a, b) => countOf(b) - countOf(a) || b - a);
  const shape = [...new Set(ordered)].map(countOf).join("");
  const tie = [...new Set(ordered)];
  const isFlush = new Set(cards.map(({ suit }) => suit)).size === 1;
  const text = ranks.join("-");
  const isWheel = text === "14-5-4-3-2";
  const isStraight = isWheel || (shape === "11111" && (ranks[0] ?? 0) - (ranks[4] ?? 0) === 4);
  const top = isWheel ? 5 : (ranks[0] ?? 0);
  if (isStraight && isFlush) return top === 14 ? [9] : [8, top];
  if (shape === "41") return [7, ...tie];
  if (shape === "32") return [6, ...tie];
  if (isFlush) return [5, ...ranks];
  if (isStraight) return [4, top];
  const category = { "311": 3, "221": 2, "2111": 1 }[shape] ?? 0;
  return [category, ...tie];
}

/** The best of all 21 ways to leave out two of seven cards. */
function naiveSeven(cards: readonly Card[]): Strength {
  let best: Strength = [-1];
  for (let one = 0; one < 7; one += 1) {
    for (let other = one + 1; other < 7; other += 1) {
      const five = referenceStrength(cards.filter((_, index) => index !== one && index !== other));
      if (compareStrengths(five, best) > 0) best = five;
    }
  }
  return best;
}

/** A deterministic generator, so that every run tests the same hands. */
function* hands(size: number, count: number): Generator<Card[]> {
  let state = 20_250_101;
  for (let made = 0; made < count; made += 1) {
    const deck = newDeck();
    yield Array.from({ length: size }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return deck.splice(Math.floor((state / 2 ** 32) * deck.length), 1)[0] as Card;
    });
  }
}

const better = (one: string, other: string) =>
  Math.sign(compareStrengths(strengthOf(cardsOf(one)), strengthOf(cardsOf(other))));

describe("the best hand", () => {
  const cases: [string, string][] = [
    ["10S JS QS KS AS", "Royal Flush"],
    ["9S 10S JS QS KS", "Straight Flush"],
    ["AH 2H 3H 4H 5H", "Straight Flush"],
    ["9S 9H 9D 9C 2S", "Four of a Kind"],
    ["9S 9H 9D 2C 2S", "Full House"],
    ["2S 5S 9S JS KS", "Flush"],
    ["AS 2H 3D 4C 5S", "Straight"],
    ["10S JH QD KC AS", "Straight"],
    ["QS KH AD 2C 3S", "High Card"],
    ["9S 9H 9D 2C 3S", "Three of a Kind"],
    ["9S 9H 2D 2C 3S", "Two Pair"],
    ["9S 9H 2D 4C 3S", "Pair"],
    ["9S 9H 9D 2C 2S 2H KD", "Full House"],
    ["9S 9H 2D 2C 3S 3H KD", "Two Pair"],
    ["2S 3S 4S 5S 6S 7H 8H", "Straight Flush"],
    ["2S 4S 6S 8S 10S 9H 7H", "Flush"],
  ];
  it.each(cases)("of %s is %s", (text, expected) => {
    expect(categoryOf(strengthOf(cardsOf(text)))).toBe(expected);
  });

  it("breaks ties by the cards that count, and by no others", () => {
    expect(better("AS AH KD 4C 3S", "AD AC QD 4H 3H")).toBe(1);
    expect(better("2S 2H AS KD QC", "2D 2C AH KC JS")).toBe(1);
    expect(better("KS KH 2S 2D 3C", "QS QH JS JD AC")).toBe(1);
    expect(better("AS 2H 3D 4C 5S", "2H 3D 4C 5S 6S")).toBe(-1);
    expect(better("AS KS QS JS 9S 2H 2D", "AS KS QS JS 9S 3H 3D")).toBe(0);
    // Three pairs: the fifth card may come from the third one.
    expect(better("9S 9H 5D 5C 3S 3H 2D", "9D 9C 5H 5S 2S 2H 3D")).toBe(0);
  });

  it("of seven cards is that of the best five", () => {
    let differing = 0;
    for (const hand of hands(7, 12_000)) if (compareStrengths(strengthOf(hand), naiveSeven(hand)) !== 0) differing += 1;
    expect(differing).toBe(0);
  });

  it("of five cards is the same in both implementations", () => {
    let differing = 0;
    for (const hand of hands(5, 60_000))
      if (compareStrengths(strengthOf(hand), referenceStrength(hand)) !== 0) differing += 1;
    expect(differing).toBe(0);
  });
});
