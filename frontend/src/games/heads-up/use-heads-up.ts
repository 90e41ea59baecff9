import { useCallback, useEffect, useRef, useState } from "react";
import { errorMessage } from "@/api/client";
import { IdempotentSender } from "@/api/idempotent-sender";
import { fetchSettledRound } from "@/games/rounds/api";
import { isPlainRefusal } from "@/games/rounds/refusals";
import { useOnVisible } from "@/lib/use-on-visible";
import { dealHeadsUp, fetchOpenHand, type HeadsUpAction, type HeadsUpHand, playHeadsUp } from "./api";
import { settledFrom } from "./rules";

/** Idle, then betting while a hand is dealt, then complete; `pending` is the request in progress. */
export type TableState = {
  phase: "idle" | "betting" | "complete";
  hand: HeadsUpHand | null;
  pending: "deal" | HeadsUpAction | null;
};

export type HeadsUpHandlers = {
  onBalance(hand: HeadsUpHand): void;
  /** The balance has changed to an unknown value. */
  onBalanceUnknown(): void;
  onDealt(hand: HeadsUpHand): void;
  /** Once for each hand that ends while it is shown. */
  onEnded(hand: HeadsUpHand): void;
  onRefused(description: string): void;
};

const IDLE: TableState = { phase: "idle", hand: null, pending: null };
const FALLBACK = "Something went wrong";

/** One hand of heads-up hold'em at a time, in sync with the server after a reload and with other tabs. */
export function useHeadsUp(handlers: HeadsUpHandlers) {
  const [state, setState] = useState<TableState>(IDLE);
  const [isReady, setReady] = useState(false);
  const [deals] = useState(() => new IdempotentSender());
  const [plays] = useState(() => new IdempotentSender());
  // The latest state, for code that runs between renders.
  const current = useRef(state);
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });

  const set = useCallback((next: TableState) => {
    current.current = next;
    setState(next);
  }, []);
  /** Shows a hand from the server; an end is final, and an older hand is over. */
  const show = useCallback(
    (hand: HeadsUpHand) => {
      const { hand: known, phase } = current.current;
      if (known && (hand.roundId < known.roundId || (hand.roundId === known.roundId && phase === "complete"))) return;
      const isOver = hand.result === "complete";
      set({ phase: isOver ? "complete" : "betting", hand, pending: null });
      if (isOver) latest.current.onEnded(hand);
      else if (known?.roundId !== hand.roundId) latest.current.onDealt(hand);
    },
    [set],
  );

  /** Loads the hand in play. */
  const refresh = useCallback(async () => {
    const begun = current.current;
    if (begun.pending) return;
    try {
      const headsUp = await fetchOpenHand();
      if (current.current !== begun) return;
      if (headsUp) {
        deals.forget();
        if (headsUp.roundId !== begun.hand?.roundId) latest.current.onBalance(headsUp);
        show(headsUp);
      } else if (begun.phase === "betting" && begun.hand) {
        const ended = settledFrom(begun.hand, await fetchSettledRound(begun.hand.roundId));
        if (current.current === begun && ended) show(ended);
        latest.current.onBalanceUnknown();
      }
    } catch (error) {
      console.warn("The hand in play could not be loaded", error);
    }
  }, [deals, show]);
  useEffect(() => void refresh().finally(() => setReady(true)), [refresh]);
  useOnVisible(() => void refresh());

  const failed = useCallback(
    async (before: TableState, error: unknown) => {
      set(before);
      if (!isPlainRefusal(error)) await refresh();
      // If the hand has advanced, that is shown instead.
      if (current.current === before) latest.current.onRefused(errorMessage(error, FALLBACK));
    },
    [refresh, set],
  );

  const deal = useCallback(
    async (betAmount: string) => {
      if (current.current.phase !== "idle" || current.current.pending) return;
      set({ ...IDLE, pending: "deal" });
      try {
        const { answer, isRepeated } = await deals.send({ betAmount }, dealHeadsUp);
        latest.current.onBalance(answer);
        show(answer);
        // A replayed answer can describe a hand that has been played further since.
        if (isRepeated) latest.current.onBalanceUnknown();
      } catch (error) {
        await failed(IDLE, error);
      }
    },
    [deals, failed, set, show],
  );

  const play = useCallback(
    async (action: HeadsUpAction) => {
      const before = current.current;
      if (before.phase !== "betting" || before.pending || !before.hand) return;
      set({ ...before, pending: action });
      try {
        const { betAmount, roundId } = before.hand;
        const { answer } = await plays.send({ betAmount, action, roundId }, playHeadsUp);
        latest.current.onBalance(answer);
        show(answer);
      } catch (error) {
        await failed(before, error);
      }
    },
    [failed, plays, set, show],
  );

  const newGame = useCallback(() => current.current.phase === "complete" && set(IDLE), [set]);
  return { state, isReady, deal, play, newGame };
}
