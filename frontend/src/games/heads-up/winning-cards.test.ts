import { expect, it } from "vitest";
import { cardSigns } from "@/lib/cards";
import { cardsOf } from "@/test-support/cards";
import { completeHand, headsUpHand } from "@/test-support/hands";
import type { HeadsUpHand } from "./api";
import { winningCards } from "./winning-cards";

const shown = (hand: HeadsUpHand) => {
  const winning = winningCards(hand);
  return winning && `${winning.owner}: ${cardSigns(winning.cards)}`;
};

it("are the player's best five after a win", () => {
  expect(shown(completeHand(1))).toBe("player: 9♥ A♣ J♠ A♠ K♦");
});

it("are the house's best five after a loss", () => {
  const hand = completeHand(1, { houseCards: cardsOf("7S 2D"), outcome: "loss", isWin: false });
  expect(shown(hand)).toBe("house: 2♣ 7♦ A♣ 7♠ 2♦");
});

it("are those of both for equal hands, each card once", () => {
  const board = cardsOf("10D JC QH 2S 3D");
  const equal = { board, playerCards: cardsOf("KS AD"), houseCards: cardsOf("KH AC"), outcome: "push" as const };
  expect(shown(completeHand(1, equal))).toBe("both: 10♦ J♣ Q♥ K♠ A♦ K♥ A♣");
  const straight = { ...equal, board: cardsOf("10D JC QH KD AS") };
  expect(shown(completeHand(1, straight))).toBe("both: 10♦ J♣ Q♥ K♦ A♠");
});

it("are unknown before the end, and there are none after a fold", () => {
  expect(shown(headsUpHand(1))).toBeNull();
  expect(shown(completeHand(1, { action: "fold", outcome: "fold", isWin: false }))).toBeNull();
});
