import { type Card, cardSigns } from "@/lib/cards";
import { cardsFrom, drawCards, sameCards } from "@/lib/fairness/cards";
import { exactPayout } from "@/lib/fairness/cents";
import type { Check, RoundClaim } from "@/lib/fairness/check";
import { categoryOf, compareStrengths, type Strength, strengthOf } from "@/lib/fairness/hand-strength";
import { fieldsOf, isWhole, publishedGame } from "@/lib/fairness/published";
import { sha256Hex } from "@/lib/fairness/stream";

export type Action = "fold" | "call" | "raise";
export type Showdown = "win" | "push" | "loss";

/** How many bets an action adds to the opening one. */
export const ADDED_BETS: Record<Action, number> = { fold: 0, call: 1, raise: 2 };
const QUALIFYING_PAIR = 3;
const CARDS = 9;

/** What is credited per bet, by action and by whether the house qualifies. */
const CREDITS: Record<Exclude<Action, "fold">, Record<"not" | "qualified", Record<Showdown, number>>> = {
  call: { not: { win: 3, push: 2, loss: 1 }, qualified: { win: 4, push: 2, loss: 0 } },
  raise: { not: { win: 4, push: 3, loss: 2 }, qualified: { win: 6, push: 3, loss: 0 } },
};

/** A pair of threes or better. */
export const qualifies = ([category, rank = 0]: Strength): boolean =>
  category > 1 || (category === 1 && rank >= QUALIFYING_PAIR);

export function creditedBets(action: Action, showdown: Showdown, houseQualifies: boolean): number {
  return action === "fold" ? 0 : CREDITS[action][houseQualifies ? "qualified" : "not"][showdown];
}

export type Table = { playerCards: Card[]; houseCards: Card[]; board: Card[] };
export type Evaluation = { playerHand: string; houseHand: string; houseQualifies: boolean; showdown: Showdown };

/** The nine cards of a round: two for the player, two for the house, then flop, turn and river. */
export async function headsUpTable(serverSeed: string, clientSeed: string, nonce: number): Promise<Table> {
  return tableOf(await drawCards(serverSeed, clientSeed, nonce, CARDS));
}

const tableOf = (drawn: readonly Card[]): Table => ({
  playerCards: drawn.slice(0, 2),
  houseCards: drawn.slice(2, 4),
  board: drawn.slice(4),
});

/** Evaluates both hands: the best five of seven each. */
export function evaluateHands({ playerCards, houseCards, board }: Table): Evaluation {
  const player = strengthOf([...playerCards, ...board]);
  const house = strengthOf([...houseCards, ...board]);
  const difference = compareStrengths(player, house);
  return {
    playerHand: categoryOf(player),
    houseHand: categoryOf(house),
    houseQualifies: qualifies(house),
    showdown: difference > 0 ? "win" : difference < 0 ? "loss" : "push",
  };
}

export type HeadsUpClaim = Omit<RoundClaim, "rules" | "betCents"> &
  Table & {
    action: Action;
    outcome: string;
    houseQualifies: boolean | null;
    openingCents: number;
    /** The opening bet and what the action added. */
    stakedCents: number;
  };

const cardsCheck = (name: string, claimed: readonly Card[], computed: readonly Card[]): Check => ({
  name,
  claimed: cardSigns(claimed),
  computed: cardSigns(computed),
  holds: sameCards(claimed, computed),
});
const said = (does: boolean | null): string => (does === null ? "not stated" : does ? "qualifies" : "does not qualify");

/** Recomputes a round and compares each part of the claim with the result. */
export async function verifyHeadsUp(
  claim: HeadsUpClaim,
): Promise<{ table: Table; evaluation: Evaluation; checks: Check[]; holds: boolean }> {
  const hash = await sha256Hex(claim.serverSeed);
  const table = await headsUpTable(claim.serverSeed, claim.clientSeed, claim.nonce);
  const evaluation = evaluateHands(table);
  const outcome = claim.action === "fold" ? "fold" : evaluation.showdown;
  const stakedCents = claim.openingCents * (1 + ADDED_BETS[claim.action]);
  const winCents = claim.openingCents * creditedBets(claim.action, evaluation.showdown, evaluation.houseQualifies);
  const checks: Check[] = [
    {
      name: "Hash of the server seed",
      claimed: claim.serverSeedHash,
      computed: hash,
      holds: hash === claim.serverSeedHash,
    },
    cardsCheck("Your cards", claim.playerCards, table.playerCards),
    cardsCheck("The house's cards", claim.houseCards, table.houseCards),
    cardsCheck("Board", claim.board, table.board),
    {
      name: "The house",
      claimed: said(claim.houseQualifies),
      computed: `${evaluation.houseHand}, ${said(evaluation.houseQualifies)}`,
      // A folded hand may omit it.
      holds:
        claim.houseQualifies === null ? claim.action === "fold" : claim.houseQualifies === evaluation.houseQualifies,
    },
    {
      name: "Outcome",
      claimed: claim.outcome,
      computed: `${outcome}, with ${evaluation.playerHand}`,
      holds: claim.outcome === outcome,
    },
    {
      name: "Staked in cents",
      claimed: String(claim.stakedCents),
      computed: String(stakedCents),
      holds: stakedCents === claim.stakedCents,
    },
    {
      name: "Win amount in cents",
      claimed: String(claim.winCents),
      computed: String(winCents),
      holds: winCents === claim.winCents,
    },
  ];
  return { table, evaluation, checks, holds: checks.every((check) => check.holds) };
}

/** Of opening bets, which are multiples of the minimum. */
const MIN_BET_CENTS = 500;
const MAX_BET_CENTS = 100_000;

/** The player's choices as they are published. */
export type HeadsUpTerms = { betCents: number; action: Action };

function readTerms(json: unknown): HeadsUpTerms | null {
  const { betCents, action } = fieldsOf(json);
  const isTerms = isWhole(betCents, MIN_BET_CENTS, MAX_BET_CENTS) && betCents % MIN_BET_CENTS === 0;
  return isTerms && (action === "fold" || action === "call" || action === "raise") ? { betCents, action } : null;
}

export const publishedHeadsUp = publishedGame("heads_up", readTerms, (stakeCents, { betCents, action }, draw) => {
  const { showdown, houseQualifies } = evaluateHands(tableOf(cardsFrom(Array.from({ length: CARDS }, draw))));
  if (stakeCents !== betCents * (1 + ADDED_BETS[action])) return null;
  return exactPayout(betCents, creditedBets(action, showdown, houseQualifies), 1);
});
