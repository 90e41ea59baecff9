import { expect, it } from "vitest";
import { cardsOf } from "@/test-support/cards";
import { cardSigns } from "@/lib/cards";
import { compareStrengths, strengthOf } from "@/lib/fairness/hand-strength";
import { newDeck } from "@/lib/fairness/cards";
import { bestFive } from "./best-five";

const HANDS = [
  { name: "a straight instead of a pair", cards: "4C 5D 6H 7S 8C 8D AS", best: "4♣ 5♦ 6♥ 7♠ 8♣" },
  { name: "the higher end of a long straight", cards: "4C 5D 6H 7S 8C 9D 2S", best: "5♦ 6♥ 7♠ 8♣ 9♦" },
  { name: "the ace as one", cards: "AC 2D 3H 4S 5C KD KS", best: "A♣ 2♦ 3♥ 4♠ 5♣" },
  { name: "the five highest of a flush", cards: "2H 9H 4H KH 7H JH AS", best: "9♥ 4♥ K♥ 7♥ J♥" },
  { name: "the better of two full houses", cards: "9C 9D 9H KC KD KS 2C", best: "9♣ 9♦ K♣ K♦ K♠" },
  { name: "the two higher of three pairs, and the kicker", cards: "3C 3D 8C 8D QC QD AS", best: "8♣ 8♦ Q♣ Q♦ A♠" },
  { name: "the straight flush instead of the higher flush", cards: "5H 6H 7H 8H 9H AH AS", best: "5♥ 6♥ 7♥ 8♥ 9♥" },
  { name: "the royal flush", cards: "10S JS QS KS AS AD AC", best: "10♠ J♠ Q♠ K♠ A♠" },
  { name: "the first of equally good hands", cards: "10D JD QC KS AH 10H AS", best: "10♦ J♦ Q♣ K♠ A♥" },
  { name: "all of five cards", cards: "2C 7D 9H JS KC", best: "2♣ 7♦ 9♥ J♠ K♣" },
];

it.each(HANDS)("takes $name", ({ cards, best }) => {
  expect(cardSigns(bestFive(cardsOf(cards)))).toBe(best);
});

it("takes cards that are as strong as all seven, for hands from the whole deck", () => {
  const deck = newDeck();
  for (let start = 0; start < deck.length; start += 1) {
    const cards = Array.from({ length: 7 }, (_, index) => deck[(start + index * 11) % deck.length]!);
    expect(compareStrengths(strengthOf(bestFive(cards)), strengthOf(cards))).toBe(0);
  }
});

it("refuses fewer than five cards", () => {
  expect(() => bestFive(cardsOf("2C 7D 9H JS"))).toThrow("at least five");
});
