import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, errorMessage, isDecided, isRateLimited } from "@/api/client";
import { IdempotentSender } from "@/api/idempotent-sender";
import type { LiveRound } from "./api";
import { type LateCashOut, lateCashOutOf } from "./late-cash-out";
import { timed } from "./latency";
import { newestId, roundOf } from "./round-state";
import { type RoundHandlers, type RoundSource, useServerRound } from "./use-server-round";

export type LiveGame<R extends LiveRound, S extends object, C extends object> = RoundSource<R> & {
  start(bet: S, key: string): Promise<R>;
  cashOut(claim: C, key: string): Promise<R>;
};
export type LiveHandlers<R extends LiveRound> = RoundHandlers<R> & {
  onRefused(title: string, description: string): void;
  /** The cash-out was too late; `wasShown` if the end was already shown. */
  onLate(late: LateCashOut, round: R, wasShown: boolean): void;
};

type StartOptions = {
  /** Shows no refusal: the caller says what became of the start. */
  isQuiet?: boolean;
  /** The bet of the last start, of which nothing is known: it must not be placed twice. */
  isRetry?: boolean;
};

/** What became of a start: the round is known, the server refused it or will look at it later, or nothing is known. */
export type Started =
  | { kind: "started"; roundId: number }
  | { kind: "refused" | "later"; message: string }
  | { kind: "unknown" };

const FALLBACK = "Something went wrong";
const BUSY: Started = { kind: "refused", message: "A round is already in play" };

/**
 * One round of a live game at a time: idle, starting, playing, then crashed or cashed out. A failed start returns to
 * idle; after a failed cash-out the round continues.
 */
export function useLiveRound<R extends LiveRound, S extends object, C extends object>(
  calls: LiveGame<R, S, C>,
  handlers: LiveHandlers<R>,
) {
  const { state, current, isReady, dispatch, apply, sync, sinceChange } = useServerRound(calls, handlers);
  const [starts] = useState(() => new IdempotentSender());
  const [cashOuts] = useState(() => new IdempotentSender());
  const latest = useRef({ calls, handlers });
  useEffect(() => {
    latest.current = { calls, handlers };
  });
  /** The newest known round before the last start of which nothing is known. */
  const lostAfter = useRef(0);
  const knownId = roundOf(state)?.roundId;
  useEffect(() => {
    // A known round answers the request that started it, however it became known.
    if (knownId !== undefined) starts.forget();
  }, [knownId, starts]);

  const start = useCallback(
    async (bet: S, { isQuiet = false, isRetry = false }: StartOptions = {}): Promise<Started> => {
      const before = newestId(current.current);
      // The lost round became known in the meantime, running or over. Its key is dropped: another request is a new bet.
      if (isRetry && before > lostAfter.current) return { kind: "started", roundId: before };
      const { phase } = current.current;
      if (phase === "starting" || phase === "playing") return BUSY;
      dispatch({ type: "start" });
      try {
        const { answer, isRepeated } = await timed(() => starts.send(bet, latest.current.calls.start));
        apply(answer);
        // A replayed answer can describe a round that has ended or was dismissed since.
        dispatch({ type: "start-failed" });
        if (isRepeated) await sync();
        return { kind: "started", roundId: answer.roundId };
      } catch (error) {
        dispatch({ type: "start-failed" });
        const message = errorMessage(error, FALLBACK);
        if (current.current.phase === "idle" && !isQuiet)
          latest.current.handlers.onRefused("Error starting game", message);
        await sync();
        if (isRateLimited(error)) return { kind: "later", message };
        if (isDecided(error)) return { kind: "refused", message };
        // Events or the open rounds can show the round that was not answered.
        const found = roundOf(current.current);
        if (found !== null && found.roundId > before) return { kind: "started", roundId: found.roundId };
        lostAfter.current = before;
        return { kind: "unknown" };
      }
    },
    [apply, current, dispatch, starts, sync],
  );

  const cashOut = useCallback(
    async (claim: C) => {
      const shown = current.current;
      if (shown.phase !== "playing" || shown.isCashingOut) return;
      dispatch({ type: "cash-out" });
      try {
        apply((await timed(() => cashOuts.send(claim, latest.current.calls.cashOut))).answer);
      } catch (error) {
        const after = current.current;
        const isStillOn = after.phase === "playing" && after.round.roundId === shown.round.roundId;
        const late = lateCashOutOf(error);
        if (late) latest.current.handlers.onLate(late, shown.round, !isStillOn);
        if (isStillOn) {
          dispatch({ type: "cash-out-failed" });
          if (!late) latest.current.handlers.onRefused("Error cashing out", errorMessage(error, FALLBACK));
        }
        if (isStillOn || !(error instanceof ApiError)) await sync();
      }
    },
    [apply, cashOuts, current, dispatch, sync],
  );

  const reset = useCallback(() => dispatch({ type: "reset" }), [dispatch]);
  return { state, isReady, start, cashOut, reset, apply, sync, sinceChange };
}
