import { useEffect, useRef } from "react";
import type { BetResult } from "@/games/autobet/run";
import { type Autobet, useAutobet } from "@/games/autobet/use-autobet";
import type { Refusal } from "@/lib/bet-rules";
import { centsOf, wireAmount } from "@/lib/money";
import { isTurbo } from "@/lib/turbo";
import type { LiveRound } from "./api";
import { liveEvents } from "@/api/live/event-stream";
import type { RoundEnds } from "./round-ends";
import type { TimedGameSpec, TimedLimits } from "./timed-game-spec";
import type { Started } from "./use-live-round";

/** How long a result is shown before the next round, without turbo. */
const GAP_MS = 1500;
const CONNECTION = { subscribe: liveEvents.subscribe, isLost: () => liveEvents.state() === "lost" };

type TimedAutobetOptions<F, S, R extends LiveRound> = {
  form: F;
  limits: TimedLimits;
  isPaused: boolean;
  ends: RoundEnds<R>;
  /** See `useLiveRound`. */
  start(bet: S, options: { isQuiet: boolean; isRetry: boolean }): Promise<Started>;
};

/** Autobet of a timed game: each round ends by its automatic cash-out or its crash. */
export function useTimedAutobet<
  R extends LiveRound,
  F extends { amount: string },
  S extends object,
  C extends object,
  P extends Record<string, Refusal | null>,
>(spec: TimedGameSpec<R, F, S, C, P>, { form, limits, isPaused, ends, start }: TimedAutobetOptions<F, S, R>): Autobet {
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  async function place(stakeCents: number, isRetry: boolean): Promise<BetResult> {
    const bet = { ...latest.current, amount: wireAmount(stakeCents) };
    // Autobet has checked the amount itself, with a balance that is never behind.
    const refusal = spec.refuseStart(bet, { ...limits, balanceCents: stakeCents });
    if (refusal) return { kind: "refused", message: refusal.description };
    // The end of a round whose start was not answered can have been announced before the retry.
    if (!isRetry) ends.expect();
    const started = await start(spec.startOf(bet), { isQuiet: true, isRetry });
    // Its round may be in play all the same.
    if (started.kind === "unknown" || started.kind === "later") return started;
    const round = started.kind === "started" ? await ends.of(started.roundId) : null;
    ends.forget();
    if (started.kind !== "started") return started;
    if (round === null) return { kind: "refused", message: "Another round was started in the meantime" };
    return {
      kind: "settled",
      stakeCents: centsOf(round.betAmount),
      payoutCents: centsOf(round.winAmount),
      isWin: spec.ending(round).isWin,
      balanceCents: centsOf(round.newBalance),
    };
  }
  const autobet = useAutobet({
    limits,
    isClosed: isPaused,
    gapMs: () => (isTurbo() ? 0 : GAP_MS),
    connection: CONNECTION,
    place,
  });
  const { isRunning } = autobet;
  useEffect(() => {
    // A run can end without knowing its last round.
    if (!isRunning) ends.forget();
  }, [isRunning, ends]);
  return autobet;
}
