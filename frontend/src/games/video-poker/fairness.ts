import { type Card, cardSigns } from "@/lib/cards";
import { cardsFrom, drawCards, sameCards } from "@/lib/fairness/cards";
import type { Check, RoundClaim } from "@/lib/fairness/check";
import { categoryOf, type Category, strengthOf } from "@/lib/fairness/hand-strength";
import { exactPayout } from "@/lib/fairness/cents";
import { fieldsOf, isWhole, publishedGame } from "@/lib/fairness/published";
import { sha256Hex } from "@/lib/fairness/stream";
import { MAX_BET_CENTS, rankWords, videoPokerMultiplier, type VideoPokerRank } from "./paytable";

export {
  MAX_BET_CENTS,
  PAYTABLE,
  rankWords,
  ROYAL_BELOW_MAXIMUM,
  videoPokerMultiplier,
  type VideoPokerRank,
} from "./paytable";

const HAND = 5;
const JACK = 11;

const RANKS: Record<Exclude<Category, "Pair">, VideoPokerRank> = {
  "Royal Flush": "ROYAL_FLUSH",
  "Straight Flush": "STRAIGHT_FLUSH",
  "Four of a Kind": "FOUR_OF_A_KIND",
  "Full House": "FULL_HOUSE",
  Flush: "FLUSH",
  Straight: "STRAIGHT",
  "Three of a Kind": "THREE_OF_A_KIND",
  "Two Pair": "TWO_PAIR",
  "High Card": "HIGH_CARD",
};

/** The rank of five cards by the paytable: a pair below jacks is nothing. */
export function videoPokerRank(cards: readonly Card[]): VideoPokerRank {
  const strength = strengthOf(cards);
  const category = categoryOf(strength);
  if (category !== "Pair") return RANKS[category];
  return (strength[1] ?? 0) >= JACK ? "JACKS_OR_BETTER" : "HIGH_CARD";
}

/** The hand after the draw: replacements fill the places of discarded cards from left to right. */
export function afterDraw(drawn: readonly Card[], held: readonly number[]): Card[] {
  let next = HAND;
  return drawn.slice(0, HAND).map((card, index) => {
    if (held.includes(index)) return card;
    const replacement = drawn[next];
    next += 1;
    if (!replacement) throw new Error("ten cards are needed");
    return replacement;
  });
}

/** The ten cards of a round: five dealt, and five for replacements. */
export const videoPokerCards = (serverSeed: string, clientSeed: string, nonce: number): Promise<Card[]> =>
  drawCards(serverSeed, clientSeed, nonce, 2 * HAND);

export type VideoPokerClaim = Omit<RoundClaim, "rules"> & {
  dealt: readonly Card[];
  heldIndexes: readonly number[];
  hand: readonly Card[];
  handRank: string;
};

/** Recomputes a round and compares each part of the claim with the result. */
export async function verifyVideoPoker(
  claim: VideoPokerClaim,
): Promise<{ drawn: Card[]; hand: Card[]; checks: Check[]; holds: boolean }> {
  const hash = await sha256Hex(claim.serverSeed);
  const drawn = await videoPokerCards(claim.serverSeed, claim.clientSeed, claim.nonce);
  const dealt = drawn.slice(0, HAND);
  const hand = afterDraw(drawn, claim.heldIndexes);
  const rank = videoPokerRank(hand);
  const winCents = claim.betCents * videoPokerMultiplier(rank, claim.betCents === MAX_BET_CENTS);
  const checks: Check[] = [
    {
      name: "Hash of the server seed",
      claimed: claim.serverSeedHash,
      computed: hash,
      holds: hash === claim.serverSeedHash,
    },
    {
      name: "Cards dealt",
      claimed: cardSigns(claim.dealt),
      computed: cardSigns(dealt),
      holds: sameCards(claim.dealt, dealt),
    },
    {
      name: "Hand after the draw",
      claimed: cardSigns(claim.hand),
      computed: cardSigns(hand),
      holds: sameCards(claim.hand, hand),
    },
    {
      name: "What the hand is",
      claimed: rankWords(claim.handRank),
      computed: rankWords(rank),
      holds: rank === claim.handRank,
    },
    {
      name: "Win amount in cents",
      claimed: String(claim.winCents),
      computed: String(winCents),
      holds: winCents === claim.winCents,
    },
  ];
  return { drawn, hand, checks, holds: checks.every((check) => check.holds) };
}

const STAKE_STEP_CENTS = 100;

/** The player's choices as they are published: the held positions, ascending. */
export type VideoPokerTerms = { held: readonly number[] };

function readTerms(json: unknown): VideoPokerTerms | null {
  const { held } = fieldsOf(json);
  const isHeld = Array.isArray(held) && held.every((position) => isWhole(position, 0, HAND - 1));
  return isHeld ? { held: [...new Set(held)].toSorted((one, other) => one - other) } : null;
}

export const publishedVideoPoker = publishedGame("video_poker", readTerms, (stakeCents, { held }, draw) => {
  const drawn = cardsFrom(Array.from({ length: 2 * HAND }, draw));
  if (!isWhole(stakeCents, STAKE_STEP_CENTS, MAX_BET_CENTS) || stakeCents % STAKE_STEP_CENTS !== 0) return null;
  const rank = videoPokerRank(afterDraw(drawn, held));
  return exactPayout(stakeCents, videoPokerMultiplier(rank, stakeCents === MAX_BET_CENTS), 1);
});
