import { useCallback, useEffect, useRef, useState } from "react";
import {
  fetchOpenRounds,
  fetchSettledRound,
  type GameWireName,
  type OpenRounds,
  type SettledRound,
} from "@/games/rounds/api";
import { centsOf, wireAmount } from "@/lib/money";
import type { LiveRound } from "./api";
import { liveEvents } from "@/api/live/event-stream";
import { timed } from "./latency";
import { isOutdated, isOver, type LiveAction, type LiveState, nextState } from "./round-state";
import { serverClock } from "@/api/live/server-clock";
import { useConnection } from "@/api/live/use-connection";

/** How often the open rounds are polled while no events arrive. */
const POLL_MS = 2000;

export type RoundSource<R extends LiveRound> = {
  /** The name of the game in events and among the open rounds. */
  game: GameWireName;
  openOf(open: OpenRounds): R | null;
  /** A round whose end was missed, reconstructed from its details; null if they do not say how. */
  settledFrom(known: R, details: SettledRound): R | null;
};

export type RoundHandlers<R extends LiveRound> = {
  onBalance(balance: Pick<LiveRound, "newBalance" | "availableToWithdraw">): void;
  /** The balance has changed to an unknown value. */
  onBalanceUnknown(): void;
  /** Once for each round that ends while it is shown. */
  onEnded(round: R): void;
};

/**
 * The player's round of a live game, kept in sync with the server through responses, events (including those caused by
 * other tabs), and the open rounds. The latter are loaded on arrival, after each (re)connection, and periodically while
 * no events arrive.
 */
export function useServerRound<R extends LiveRound>(source: RoundSource<R>, handlers: RoundHandlers<R>) {
  const [state, setState] = useState<LiveState<R>>({ phase: "idle", seenId: 0 });
  const [isReady, setReady] = useState(false);
  // The latest state, for code that runs between renders.
  const current = useRef(state);
  const changedAt = useRef(0);
  const balanceAt = useRef(0);
  const latest = useRef({ source, handlers });
  useEffect(() => {
    latest.current = { source, handlers };
  });

  const dispatch = useCallback((action: LiveAction<R>) => {
    const before = current.current;
    const after = nextState(before, action);
    if (after === before) return;
    current.current = after;
    if (after.phase !== before.phase) changedAt.current = performance.now();
    setState(after);
    if (isOver(after) && !isOver(before)) latest.current.handlers.onEnded(after.round);
  }, []);

  /** Responses can arrive out of order: only the newest by the server's time sets the balance. */
  const applyBalance = useCallback((round: LiveRound) => {
    if (round.serverTimeMs < balanceAt.current) return;
    balanceAt.current = round.serverTimeMs;
    latest.current.handlers.onBalance(round);
  }, []);

  const apply = useCallback(
    (round: R) => {
      serverClock.sample(round.serverTimeMs);
      // A round that is over can still arrive as one in play, read before its end: its balance is out of date, too.
      if (isOutdated(current.current, round)) return;
      applyBalance(round);
      dispatch({ type: "round", round });
    },
    [dispatch, applyBalance],
  );

  const sync = useCallback(async () => {
    try {
      const open = await timed(fetchOpenRounds);
      serverClock.sample(open.serverTimeMs);
      const round = latest.current.source.openOf(open);
      const shown = current.current;
      if (round) apply(round);
      // A response older than the round says nothing about its end.
      else if (shown.phase === "playing" && open.serverTimeMs >= shown.round.startedAtMs) {
        const settled = latest.current.source.settledFrom(shown.round, await fetchSettledRound(shown.round.roundId));
        if (settled) dispatch({ type: "round", round: paid(shown.round, settled) });
        latest.current.handlers.onBalanceUnknown();
      }
    } catch (error) {
      console.warn("The open rounds could not be loaded", error);
    }
  }, [apply, dispatch]);

  useEvents(source.game, apply, applyBalance, sync);
  usePolling(state.phase === "playing", sync);
  useEffect(() => void sync().finally(() => setReady(true)), [sync]);
  /** Milliseconds since the phase changed. */
  const sinceChange = useCallback(() => performance.now() - changedAt.current, []);
  return { state, current, isReady, dispatch, apply, sync, sinceChange };
}

/** The balance after a round whose end was missed: the one known during the round, plus the payout. */
function paid<R extends LiveRound>({ newBalance }: R, settled: R): R {
  return { ...settled, newBalance: wireAmount(centsOf(newBalance) + centsOf(settled.winAmount)) };
}

/** Subscribes to this game's rounds, and to the balance from those of other games. */
function useEvents<R extends LiveRound>(
  game: string,
  apply: (round: R) => void,
  applyBalance: (round: LiveRound) => void,
  sync: () => Promise<void>,
) {
  useEffect(() => {
    const stops = [
      liveEvents.on<R>(game, apply),
      liveEvents.onRound((name, round) => name !== game && applyBalance(round)),
      liveEvents.onOpen(() => void sync()),
      liveEvents.acquire(),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [game, apply, applyBalance, sync]);
}

function usePolling(isPlaying: boolean, sync: () => Promise<void>): void {
  const needsPolling = useConnection() !== "open" && isPlaying;
  useEffect(() => {
    if (!needsPolling) return undefined;
    const timer = setInterval(() => void sync(), POLL_MS);
    return () => clearInterval(timer);
  }, [needsPolling, sync]);
}
