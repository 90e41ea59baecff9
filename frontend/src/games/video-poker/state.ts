import type { SettledRound } from "@/games/rounds/api";
import type { Card } from "@/lib/cards";
import { type PokerHand, pokerDetailsOf } from "./api";

/** The positions of the cards of a hand. */
export const CARDS = [0, 1, 2, 3, 4] as const;

export type Stage = "IDLE" | "DEALING" | "DRAW" | "DRAWING" | "RESULT";

export const MESSAGES = {
  initial: "Place your bet and deal to start a new game",
  dealing: "Dealing cards...",
  held: "Cards held. Click Draw to continue or select more cards to hold.",
  drawing: "Drawing new cards...",
  dealFailed: "Error dealing cards. Please try again.",
  drawFailed: "Error drawing cards. Please try again.",
} as const;

export type GameState = {
  stage: Stage;
  /** As last returned by the server; null while idle and dealing. */
  hand: PokerHand | null;
  /** The five cards before the draw. */
  dealt: Card[];
  /** The held cards. They change here at once, and are sent afterwards. */
  held: number[];
  /** Whether a hold request is pending. */
  isHolding: boolean;
  message: string;
};

export type GameAction =
  | { type: "deal" | "deal-failed" | "hold-sent" | "hold-ended" | "draw" | "draw-failed" | "new-game" }
  | { type: "toggle"; index: number }
  /** `dealt` answers a deal, `found` is the server's hand in play, `drawn` is a finished hand. */
  | { type: "dealt" | "found" | "drawn"; hand: PokerHand };

export const INITIAL: GameState = {
  stage: "IDLE",
  hand: null,
  dealt: [],
  held: [],
  isHolding: false,
  message: MESSAGES.initial,
};

/** The reducer; returns the same state if nothing changes. */
export function nextState(state: GameState, action: GameAction): GameState {
  const { stage } = state;
  switch (action.type) {
    case "deal":
      return stage === "IDLE" ? { ...INITIAL, stage: "DEALING", message: MESSAGES.dealing } : state;
    case "deal-failed":
      return stage === "DEALING" ? { ...INITIAL, message: MESSAGES.dealFailed } : state;
    case "toggle":
      return toggled(state, action.index);
    case "hold-sent":
      return stage === "DRAW" ? { ...state, isHolding: true } : state;
    case "hold-ended":
      return state.isHolding ? { ...state, isHolding: false, message: MESSAGES.held } : state;
    case "draw":
      return stage === "DRAW" && !state.isHolding ? { ...state, stage: "DRAWING", message: MESSAGES.drawing } : state;
    case "draw-failed":
      return stage === "DRAWING" ? { ...state, stage: "DRAW", message: MESSAGES.drawFailed } : state;
    case "new-game":
      return stage === "RESULT" ? INITIAL : state;
    case "dealt":
      if (stage !== "DEALING") return state;
      // A replayed deal: the hand was already finished in another tab.
      return action.hand.stage === "DRAW" ? inPlay(action.hand) : INITIAL;
    case "found":
      return supersedes(state, action.hand) ? inPlay(action.hand) : state;
    case "drawn":
      return stage === "DRAWING" || stage === "DRAW" ? over(state, action.hand) : state;
  }
}

/** Whether a request is pending. */
export const isBusy = ({ stage, isHolding }: GameState): boolean =>
  stage === "DEALING" || stage === "DRAWING" || isHolding;

function toggled(state: GameState, index: number): GameState {
  const { stage, hand, held, isHolding } = state;
  if (stage !== "DRAW" || isHolding || index < 0 || index >= (hand?.hand.length ?? 0)) return state;
  const next = held.includes(index)
    ? held.filter((each) => each !== index)
    : [...held, index].toSorted((a, b) => a - b);
  return { ...state, held: next };
}

function inPlay(hand: PokerHand): GameState {
  const { heldIndexes, message } = hand;
  return {
    stage: "DRAW",
    hand,
    dealt: hand.hand,
    held: heldIndexes,
    isHolding: false,
    message: heldIndexes.length > 0 ? MESSAGES.held : message,
  };
}

const over = (state: GameState, hand: PokerHand): GameState => ({
  ...state,
  stage: "RESULT",
  hand,
  held: hand.heldIndexes,
  isHolding: false,
  message: hand.message,
});

/** Whether a loaded hand replaces the shown one: none is shown, it is older, or its holds differ. */
function supersedes({ stage, hand, held }: GameState, found: PokerHand): boolean {
  if (stage === "IDLE") return true;
  if (stage === "RESULT") return found.roundId > (hand?.roundId ?? 0);
  if (stage !== "DRAW") return false;
  return found.roundId !== hand?.roundId || found.heldIndexes.join() !== held.join();
}

/** A hand that ended elsewhere, reconstructed from its details; null if they do not say how. */
export function resultOf(known: PokerHand, round: SettledRound): PokerHand | null {
  const poker = pokerDetailsOf(round);
  if (!poker) return null;
  const { hand, heldIndexes, handRank, multiplier } = poker;
  const { winAmount } = round;
  const isWin = multiplier > 0;
  return {
    ...known,
    stage: "RESULT",
    hand,
    heldIndexes,
    handRank,
    multiplier,
    winAmount,
    isWin,
    message: isWin ? "You won." : "No win this time.",
  };
}
