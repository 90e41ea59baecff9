import { describe, expect, it } from "vitest";
import { cardSigns } from "@/lib/cards";
import { sha256Hex } from "@/lib/fairness/stream";
import { cardsOf } from "@/test-support/cards";
import {
  afterDraw,
  PAYTABLE,
  rankWords,
  verifyVideoPoker,
  type VideoPokerClaim,
  videoPokerCards,
  videoPokerMultiplier,
  videoPokerRank,
} from "./fairness";

const SEED = "0123456789abcdef".repeat(4);

it("ranks by the paytable: pairs pay from jacks upwards", () => {
  const cases = [
    ["10S JS QS KS AS", "ROYAL_FLUSH"],
    ["AS 2S 3S 4S 5S", "STRAIGHT_FLUSH"],
    ["9S 9H 9D 9C 2S", "FOUR_OF_A_KIND"],
    ["9S 9H 9D 2C 2S", "FULL_HOUSE"],
    ["2S 5S 9S JS KS", "FLUSH"],
    ["AS 2H 3D 4C 5S", "STRAIGHT"],
    ["9S 9H 9D 2C 3S", "THREE_OF_A_KIND"],
    ["9S 9H 2D 2C 3S", "TWO_PAIR"],
    ["JS JH 2D 4C 3S", "JACKS_OR_BETTER"],
    ["AS AH 2D 4C 3S", "JACKS_OR_BETTER"],
    ["10S 10H 2D 4C 3S", "HIGH_CARD"],
    ["2S 4H 9D JC KS", "HIGH_CARD"],
  ];
  for (const [cards = "", rank] of cases) expect(videoPokerRank(cardsOf(cards)), cards).toBe(rank);
});

it("pays 8/5, and the full royal only at the maximum bet", () => {
  expect(Object.values(PAYTABLE)).toEqual([800, 50, 25, 8, 5, 4, 3, 2, 1, 0]);
  expect(videoPokerMultiplier("ROYAL_FLUSH", true)).toBe(800);
  expect(videoPokerMultiplier("ROYAL_FLUSH", false)).toBe(250);
  expect(videoPokerMultiplier("FULL_HOUSE", false)).toBe(videoPokerMultiplier("FULL_HOUSE", true));
  expect(rankWords("THREE_OF_A_KIND")).toBe("THREE OF A KIND");
});

it("replaces from left to right", () => {
  const drawn = cardsOf("2S 3S 4S 5S 6S 7H 8H 9H 10H JH");
  expect(cardSigns(afterDraw(drawn, []))).toBe("7♥ 8♥ 9♥ 10♥ J♥");
  expect(cardSigns(afterDraw(drawn, [1, 3]))).toBe("7♥ 3♠ 8♥ 5♠ 9♥");
  expect(cardSigns(afterDraw(drawn, [0, 1, 2, 3, 4]))).toBe("2♠ 3♠ 4♠ 5♠ 6♠");
});

/** A round that wins with these holds. */
async function winningClaim(): Promise<VideoPokerClaim> {
  const heldIndexes = [0, 2];
  for (let nonce = 0; ; nonce += 1) {
    const drawn = await videoPokerCards(SEED, "glasshouse", nonce);
    const hand = afterDraw(drawn, heldIndexes);
    const handRank = videoPokerRank(hand);
    if (handRank === "HIGH_CARD") continue;
    const winCents = 500 * videoPokerMultiplier(handRank, false);
    return {
      serverSeed: SEED,
      serverSeedHash: await sha256Hex(SEED),
      clientSeed: "glasshouse",
      nonce,
      betCents: 500,
      dealt: drawn.slice(0, 5),
      heldIndexes,
      hand,
      handRank,
      winCents,
    };
  }
}

describe("verification", async () => {
  const claim = await winningClaim();
  it("passes for a true claim", async () => {
    expect((await verifyVideoPoker(claim)).checks.filter((check) => !check.holds)).toEqual([]);
  });

  const swapped = [...claim.hand.slice(0, 3), claim.hand[4], claim.hand[3]].flatMap((card) => card ?? []);
  const falseClaims: [string, Partial<VideoPokerClaim>][] = [
    ["another seed", { serverSeed: SEED.replace("0", "1") }],
    ["another hash", { serverSeedHash: "0".repeat(64) }],
    ["another client seed", { clientSeed: "glasshouze" }],
    ["another nonce", { nonce: claim.nonce + 1 }],
    ["another card dealt", { dealt: [...claim.dealt.slice(0, 4), ...claim.dealt.slice(0, 1)] }],
    ["another hold", { heldIndexes: [0, 3] }],
    ["no hold", { heldIndexes: [] }],
    ["replacements in another order", { hand: swapped }],
    ["another rank", { handRank: "FLUSH" }],
    ["a win that is told as none", { handRank: "HIGH_CARD", winCents: 0 }],
    ["another payout", { winCents: claim.winCents - 1 }],
    ["another bet", { betCents: 600 }],
  ];
  it.each(falseClaims)("fails for %s", async (_, lie) => {
    expect((await verifyVideoPoker({ ...claim, ...lie })).holds).toBe(false);
  });
});
