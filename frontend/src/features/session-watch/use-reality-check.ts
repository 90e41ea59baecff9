import { useEffect, useRef, useState } from "react";
import { houseTime, type SessionSummary } from "@/api/session-summary";
import { holdPlay } from "@/lib/play-hold";
import { nextCheckAt, onIntervalRestarted, restartInterval } from "@/lib/reality-check";

const TICK_MS = 1000;
const WAITING = "A reality check is waiting for you.";

type Options = {
  summary: SessionSummary | undefined;
  /** Asks the server again: what is shown is current, and another tab can have changed the interval. */
  refresh(): Promise<SessionSummary | undefined>;
  /** Whether a round runs on a clock, in which the player must be able to act. */
  isRoundRunning: boolean;
};

const isDue = (summary: SessionSummary): boolean => {
  const nowMs = houseTime(summary);
  const dueMs = nextCheckAt(summary, nowMs);
  return dueMs !== null && nowMs >= dueMs;
};

/**
 * Whether the reality check is to be shown now. From the moment it is due autobet waits; it is shown once no round runs
 * on a clock, in a visible tab, and while no other dialog is open. The answer in one tab counts for all.
 */
export function useRealityCheck({ summary, refresh, isRoundRunning }: Options) {
  const [shown, setShown] = useState<SessionSummary | null>(null);
  const isAsking = useRef(false);
  const latest = useRef({ summary, refresh, isRoundRunning });
  useEffect(() => {
    latest.current = { summary, refresh, isRoundRunning };
  });
  const isShown = shown !== null;
  useEffect(() => {
    let isOver = false;
    async function show() {
      isAsking.current = true;
      try {
        const fresh = await latest.current.refresh();
        if (!isOver && fresh !== undefined && isDue(fresh)) setShown(fresh);
      } catch (error) {
        // It is asked for again with the next tick.
        console.warn("The session's summary could not be loaded", error);
      } finally {
        isAsking.current = false;
      }
    }
    function look() {
      const { summary: known, isRoundRunning: isRunning } = latest.current;
      if (known === undefined) return;
      if (!isDue(known)) {
        holdPlay(null);
        setShown(null);
        return;
      }
      holdPlay(WAITING);
      const isBusy = document.hidden || isRunning || document.querySelector('[role="dialog"]') !== null;
      if (!isShown && !isBusy && !isAsking.current) void show();
    }
    const timer = setInterval(look, TICK_MS);
    const stop = onIntervalRestarted(look);
    return () => {
      isOver = true;
      clearInterval(timer);
      stop();
    };
  }, [isShown]);
  useEffect(() => () => holdPlay(null), []);
  return {
    // A round that was already on its way takes precedence.
    shown: isRoundRunning ? null : shown,
    /** The player has seen it: the interval begins again. */
    answer() {
      if (shown !== null) restartInterval(shown.since, houseTime(shown));
      holdPlay(null);
      setShown(null);
    },
  };
}
