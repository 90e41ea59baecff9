import type { HeadsUpHand, HeadsUpRoundDetails } from "@/games/heads-up/api";
import type { SettledRound } from "@/games/rounds/api";
import type { PokerHand, PokerRoundDetails } from "@/games/video-poker/api";
import { cardsOf } from "./cards";

const BALANCE = { newBalance: "95.00", availableToWithdraw: "0.00", receipt: null };

/** A hand of video poker in the server's format. */
export const pokerHand = (roundId: number, change: Partial<PokerHand> = {}): PokerHand => ({
  ...BALANCE,
  roundId,
  stage: "DRAW",
  hand: cardsOf("2S 3H JD JC 9S"),
  heldIndexes: [],
  handRank: "JACKS_OR_BETTER",
  message: "Choose the cards to hold.",
  betAmount: "5.00",
  isMaxBet: false,
  winAmount: "0.00",
  isWin: false,
  multiplier: 0,
  nonce: 0,
  ...change,
});

export const wonHand = (roundId: number): PokerHand =>
  pokerHand(roundId, {
    stage: "RESULT",
    heldIndexes: [2, 3],
    isWin: true,
    multiplier: 1,
    winAmount: "5.00",
    newBalance: "100.00",
  });

export const headsUpHand = (roundId: number, change: Partial<HeadsUpHand> = {}): HeadsUpHand => ({
  ...BALANCE,
  roundId,
  result: "dealt",
  action: null,
  betAmount: "25.00",
  stakedAmount: "25.00",
  playerCards: cardsOf("AS KD"),
  board: cardsOf("2C 7D 9H"),
  houseCards: null,
  playerHand: "High Card",
  houseHand: null,
  houseQualifies: null,
  outcome: null,
  isWin: false,
  winAmount: "0.00",
  nonce: 0,
  ...change,
});

export const completeHand = (roundId: number, change: Partial<HeadsUpHand> = {}): HeadsUpHand =>
  headsUpHand(roundId, {
    result: "complete",
    action: "call",
    stakedAmount: "50.00",
    board: cardsOf("2C 7D 9H AC JS"),
    houseCards: cardsOf("7S 4D"),
    playerHand: "Pair",
    houseHand: "Pair",
    houseQualifies: true,
    outcome: "win",
    isWin: true,
    winAmount: "100.00",
    ...change,
  });

/** A settled round of the given game. */
export const settledRound = (
  id: number,
  change: { winAmount?: string; poker?: PokerRoundDetails; headsUp?: HeadsUpRoundDetails },
): SettledRound => ({
  id,
  gameType: "poker",
  betAmount: "5.00",
  winAmount: "0.00",
  outcome: "loss",
  createdAt: "2025-01-01T00:00:00Z",
  serverSeedHash: "",
  serverSeed: null,
  clientSeed: "glasshouse",
  clientSeedBy: "player",
  nonce: 0,
  rulesVersion: 2,
  dice: null,
  crash: null,
  stonks: null,
  poker: null,
  headsUp: null,
  mines: null,
  ...change,
});
