import { useCallback, useEffect, useRef, useState } from "react";
import { errorMessage } from "@/api/client";
import { IdempotentSender } from "@/api/idempotent-sender";
import { fetchSettledRound } from "@/games/rounds/api";
import { isConflict, isPlainRefusal } from "@/games/rounds/refusals";
import { useOnVisible } from "@/lib/use-on-visible";
import { dealPoker, drawPoker, fetchOpenHand, holdPoker, type PokerBet, type PokerHand } from "./api";
import { type GameAction, type GameState, INITIAL, isBusy, nextState, resultOf } from "./state";

/** Toggles within this time are sent in one request. */
const HOLD_DELAY_MS = 10;
const FALLBACK = "Something went wrong";

export type PokerHandlers = {
  onBalance(hand: PokerHand): void;
  /** The balance has changed to an unknown value. */
  onBalanceUnknown(): void;
  onDealt(hand: PokerHand): void;
  /** Once for each hand that ends while it is shown. */
  onResult(hand: PokerHand): void;
  onRefused(title: string, description: string): void;
};

/** One hand of video poker at a time, in sync with the server after a reload and with other tabs. */
export function useVideoPoker(handlers: PokerHandlers) {
  const [state, setState] = useState<GameState>(INITIAL);
  const [isReady, setReady] = useState(false);
  const [deals] = useState(() => new IdempotentSender());
  const [draws] = useState(() => new IdempotentSender());
  // The latest state, for code that runs between renders.
  const current = useRef(state);
  /** Incremented by each action of the player, which makes earlier responses obsolete. */
  const version = useRef(0);
  const holdTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => () => clearTimeout(holdTimer.current), []);

  const dispatch = useCallback((action: GameAction): boolean => {
    const before = current.current;
    const after = nextState(before, action);
    if (after === before) return false;
    current.current = after;
    version.current += 1;
    setState(after);
    if (after.stage === "RESULT" && before.stage !== "RESULT" && after.hand) latest.current.onResult(after.hand);
    return true;
  }, []);

  /** Loads the hand in play. */
  const refresh = useCallback(async () => {
    const { current: begun } = version;
    if (isBusy(current.current)) return;
    try {
      const open = await fetchOpenHand();
      if (version.current !== begun) return;
      const shown = current.current;
      if (open) {
        if (dispatch({ type: "found", hand: open })) latest.current.onBalance(open);
        deals.forget();
      } else if (shown.stage === "DRAW" && shown.hand) {
        const ended = resultOf(shown.hand, await fetchSettledRound(shown.hand.roundId));
        if (version.current === begun && ended) dispatch({ type: "drawn", hand: ended });
        latest.current.onBalanceUnknown();
      }
    } catch (error) {
      console.warn("The hand in play could not be loaded", error);
    }
  }, [deals, dispatch]);
  useEffect(() => void refresh().finally(() => setReady(true)), [refresh]);
  useOnVisible(() => void refresh());

  const deal = useCallback(
    async (bet: PokerBet) => {
      if (!dispatch({ type: "deal" })) return;
      try {
        const { answer, isRepeated } = await deals.send(bet, dealPoker);
        latest.current.onBalance(answer);
        dispatch({ type: "dealt", hand: answer });
        if (answer.stage === "DRAW") latest.current.onDealt(answer);
        // A replayed answer can describe a hand that has been played further since.
        if (isRepeated) latest.current.onBalanceUnknown();
      } catch (error) {
        dispatch({ type: "deal-failed" });
        latest.current.onRefused("Error dealing cards", errorMessage(error, FALLBACK));
        if (!isPlainRefusal(error)) await refresh();
      }
    },
    [deals, dispatch, refresh],
  );

  const sendHolds = useCallback(async () => {
    const { hand, held } = current.current;
    if (!hand || !dispatch({ type: "hold-sent" })) return;
    // Failing silently is safe, because the draw sends the holds again.
    const error = await holdPoker(held, hand.roundId).then(
      () => null,
      (reason: unknown) => reason,
    );
    dispatch({ type: "hold-ended" });
    if (isConflict(error)) await refresh();
  }, [dispatch, refresh]);

  const toggle = useCallback(
    (index: number) => {
      if (!dispatch({ type: "toggle", index })) return;
      clearTimeout(holdTimer.current);
      holdTimer.current = setTimeout(() => void sendHolds(), HOLD_DELAY_MS);
    },
    [dispatch, sendHolds],
  );

  const draw = useCallback(async () => {
    const { hand, held } = current.current;
    if (!hand || !dispatch({ type: "draw" })) return;
    clearTimeout(holdTimer.current);
    const { betAmount, isMaxBet, roundId } = hand;
    try {
      const { answer } = await draws.send({ betAmount, isMaxBet, heldIndexes: held, roundId }, drawPoker);
      latest.current.onBalance(answer);
      dispatch({ type: "drawn", hand: answer });
    } catch (error) {
      dispatch({ type: "draw-failed" });
      if (!isPlainRefusal(error)) await refresh();
      // If the hand turns out to be over, its result is shown instead.
      if (current.current.stage === "DRAW")
        latest.current.onRefused("Error drawing cards", errorMessage(error, FALLBACK));
    }
  }, [dispatch, draws, refresh]);

  const newGame = useCallback(() => void dispatch({ type: "new-game" }), [dispatch]);
  return { state, isReady, deal, toggle, draw, newGame };
}
