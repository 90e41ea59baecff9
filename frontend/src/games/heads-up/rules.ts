import type { SettledRound } from "@/games/rounds/api";
import { type Limits, type Refusal, refuseAmount } from "@/lib/bet-rules";
import { centsOf, formatDollars, parseAmount } from "@/lib/money";
import * as refusals from "@/lib/refusals";
import { type HeadsUpAction, type HeadsUpHand, headsUpDetailsOf } from "./api";
import { ADDED_BETS, evaluateHands } from "./fairness";

export const DEFAULT_BET = "25.00";
export const STEP_CENTS = 500;
export const MIN_CENTS = 500;
export const MAX_CENTS = 100_000;

/** Why a hand cannot be dealt; null if it can. */
export function refuseDeal(amount: string, limits: Limits): Refusal | null {
  const refusal = refuseAmount(amount, limits, MIN_CENTS);
  if (refusal) return refusal;
  if ((parseAmount(amount) ?? 0) % STEP_CENTS !== 0)
    return { title: "Invalid Bet", description: "The bet goes in steps of $5.00" };
  return null;
}

/** What an action adds to the stake. */
export const costCents = (hand: HeadsUpHand, action: HeadsUpAction): number =>
  ADDED_BETS[action] * centsOf(hand.betAmount);

/** Why an action cannot be paid for; null if it can. */
export function refuseAction(hand: HeadsUpHand, action: HeadsUpAction, balanceCents: number): Refusal | null {
  return costCents(hand, action) > balanceCents
    ? { title: "Insufficient Balance", description: refusals.insufficientBalance.text }
    : null;
}

export type Pot = { openingCents: number; addedCents: number; matchedCents: number; totalCents: number };

/** Twice the bet, what the player adds, and what a qualifying house matches. */
export function potOf(hand: HeadsUpHand): Pot {
  const openingCents = 2 * centsOf(hand.betAmount);
  const addedCents = hand.action === null ? 0 : costCents(hand, hand.action);
  const matchedCents = hand.houseQualifies ? addedCents : 0;
  return { openingCents, addedCents, matchedCents, totalCents: openingCents + addedCents + matchedCents };
}

export const netCents = (hand: HeadsUpHand): number => centsOf(hand.winAmount) - centsOf(hand.stakedAmount);

/** The end of a hand in words. */
export function ending(hand: HeadsUpHand): { title: string; description: string } {
  const net = formatDollars(Math.abs(netCents(hand)));
  const hands = `${hand.playerHand} against ${hand.houseHand ?? "the house"}`;
  switch (hand.outcome) {
    case "win":
      return { title: "You Won!", description: `${hands}: you won ${net}` };
    case "push":
      return { title: "Push", description: `${hands}: all bets are returned` };
    case "fold":
      return { title: "You Lost", description: `You folded and lost ${net}` };
    default:
      return { title: "You Lost", description: `${hands}: you lost ${net}` };
  }
}

/** Whether the house qualified, and what that means for the player's call or raise. */
export function qualification(hand: HeadsUpHand): string {
  if (hand.action === "fold") return "You folded: the house takes the opening pot.";
  const added = hand.action === "raise" ? "raise" : "call";
  return hand.houseQualifies
    ? `The house qualifies, with a pair of threes or better: it matched your ${added}, and the best hand takes the pot.`
    : `The house does not qualify, having less than a pair of threes: your ${added} was returned, and the best hand takes the opening pot.`;
}

/** A hand that ended in another tab, reconstructed from its details; null if they do not say how. */
export function settledFrom(known: HeadsUpHand, round: SettledRound): HeadsUpHand | null {
  const headsUp = headsUpDetailsOf(round);
  const { winAmount } = round;
  if (!headsUp) return null;
  const { playerHand, houseHand, houseQualifies } = evaluateHands(headsUp);
  const { playerCards, houseCards, board, action, outcome, stakedAmount } = headsUp;
  return {
    ...known,
    result: "complete",
    playerCards,
    houseCards,
    board,
    action,
    outcome,
    stakedAmount,
    playerHand,
    houseHand,
    houseQualifies,
    isWin: outcome === "win",
    winAmount,
  };
}
