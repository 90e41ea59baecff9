import { expect, it } from "vitest";
import vectors from "../../../../crates/games/tests/vectors/fairness.json";
import { cardSigns } from "@/lib/cards";
import { cardsOf } from "@/test-support/cards";
import { cardsFrom, drawCards, newDeck, sameCards } from "./cards";

it("has the deck in order", () => {
  expect(newDeck()).toHaveLength(52);
  expect(cardSigns(newDeck().slice(0, 5))).toBe("2♦ 2♥ 2♠ 2♣ 3♦");
  expect(cardSigns(newDeck().slice(-1))).toBe("A♣");
});

it("draws the published cards", async () => {
  expect(vectors.video_poker_deal_and_draws.rows.length).toBeGreaterThan(4);
  for (const [serverSeed, clientSeed, nonce, expected] of vectors.video_poker_deal_and_draws.rows) {
    expect(await drawCards(String(serverSeed), String(clientSeed), Number(nonce), 10)).toEqual(
      cardsOf(String(expected)),
    );
  }
});

it("never draws a card twice, at either end of the range", () => {
  expect(cardSigns(cardsFrom([0, 0, 0]))).toBe("2♦ 2♥ 2♠");
  expect(cardSigns(cardsFrom([2 ** 32 - 1, 2 ** 32 - 1, 2 ** 32 - 1]))).toBe("A♣ A♠ A♥");
  expect(
    new Set(
      cardsFrom(Array.from({ length: 52 }, (_, index) => (index * 2_654_435_761) % 2 ** 32)).map((card) =>
        cardSigns([card]),
      ),
    ).size,
  ).toBe(52);
});

it("distinguishes cards", () => {
  expect(sameCards(cardsOf("2S 3S"), cardsOf("2S 3S"))).toBe(true);
  for (const other of ["3S 2S", "2S 3H", "2S 4S", "2S"])
    expect(sameCards(cardsOf("2S 3S"), cardsOf(other))).toBe(false);
});
