import { useCallback, useEffect, useRef, useState } from "react";
import { useSession } from "@/api/session";
import { toast } from "@/components/toast-store";
import type { BegunRun } from "./begin-run";
import { EMPTY_FORM } from "./empty-form";
import type { AutobetForm } from "./form";
import type { Connection } from "./pause";
import type { StakeLimits } from "./rules";
import type { BetResult, RunState } from "./run";

const NOT_LOADED = "Glasshouse cannot be reached. Check your connection and try again.";

// Loaded when autobet is chosen: most bets are placed by hand.
const loadRuns = () => import("./begin-run");

export type AutobetMode = "manual" | "auto";
export type AutobetGame = {
  limits: StakeLimits;
  /** Whether the game accepts no new rounds. */
  isClosed: boolean;
  /** See `BetTable.place`. */
  place(stakeCents: number, isRetry: boolean): Promise<BetResult>;
  /** How long a result is shown before the next bet. */
  gapMs(): number;
  connection?: Connection;
};
export type Autobet = {
  mode: AutobetMode;
  setMode(mode: AutobetMode): void;
  form: AutobetForm;
  setForm(form: AutobetForm): void;
  /** Whether the form's errors are shown. */
  isChecked: boolean;
  /** The current run or the last one; null before the first one. */
  run: RunState | null;
  /** The wanted number of rounds of this run; null for no limit. */
  rounds: number | null;
  isRunning: boolean;
  start(baseStakeCents: number): void;
  stop(): void;
  /** Milliseconds since a run was started, stopped or asked to stop. */
  sinceChange(): number;
};

/** Whether a run is not over. */
const isLive = (run: RunState | null): boolean => run !== null && run.phase !== "stopped";
const isBetting = (run: RunState | null): boolean => isLive(run) && run?.phase !== "stopping";

/** Autobet of the game on screen. Leaving the game ends it. */
export function useAutobet(game: AutobetGame): Autobet {
  const [mode, setMode] = useState<AutobetMode>("manual");
  const [form, setForm] = useState<AutobetForm>(EMPTY_FORM);
  const [isChecked, setChecked] = useState(false);
  const { run, rounds, isStarting, begin, stop, sinceChange } = useRun(game);
  function choose(chosen: AutobetMode) {
    setMode(chosen);
    // What could not be loaded is loaded again at the start.
    if (chosen === "auto") void loadRuns().catch(() => undefined);
  }
  const start = (baseStakeCents: number) => void begin(form, baseStakeCents, () => setChecked(true));
  return {
    mode,
    setMode: choose,
    form,
    setForm,
    isChecked,
    run,
    rounds,
    isRunning: isStarting || isLive(run),
    start,
    stop,
    sinceChange,
  };
}

/** The run, and what it needs of the game and the page. */
function useRun(game: AutobetGame) {
  const { user, refresh } = useSession();
  const userId = user?.id;
  const [run, setRun] = useState<RunState | null>(null);
  const [rounds, setRounds] = useState<number | null>(null);
  // From the press until the first state: its code may have to be loaded.
  const [isStarting, setStarting] = useState(false);
  const wasStopped = useRef(false);
  const current = useRef<BegunRun | null>(null);
  const isBusy = useRef(false);
  const hasLeft = useRef(false);
  const changedAt = useRef(0);
  const latest = useRef(game);
  useEffect(() => {
    latest.current = game;
  });
  useEffect(() => {
    hasLeft.current = false;
    return () => {
      hasLeft.current = true;
      const description = current.current?.leave("left") ?? null;
      if (description !== null) toast({ title: "Autobet stopped", description });
    };
  }, []);
  const player = useRef(userId);
  useEffect(() => {
    // Another tab can log out and in again: the next bet would be that of another player.
    if (player.current !== userId) current.current?.leave("session");
    player.current = userId;
  }, [userId]);

  const note = useCallback((next: RunState) => {
    setRun((before) => {
      if (isBetting(before) !== isBetting(next)) changedAt.current = performance.now();
      return next;
    });
  }, []);
  /** Plays a run until its end; if the form is invalid, only says so. */
  async function begin(form: AutobetForm, baseStakeCents: number, onInvalid: () => void) {
    if (isBusy.current) return;
    isBusy.current = true;
    wasStopped.current = false;
    setStarting(true);
    try {
      const runs = await loadRuns().catch(() => null);
      if (hasLeft.current) return;
      if (runs === null) {
        toast({ title: "Error", description: NOT_LOADED, variant: "destructive" });
        return;
      }
      const plan = runs.planOf(form, baseStakeCents);
      if (plan === null) {
        onInvalid();
        // On a phone the fields are in a closed sheet.
        const problem = runs.firstProblem(form);
        if (problem !== null) toast({ ...problem, variant: "destructive" });
        return;
      }
      setRounds(plan.rounds);
      const isStillHere = async () => {
        const now = await refresh();
        return now === undefined || now?.id === userId;
      };
      await runs.playRun({ id: userId, isStillHere }, plan, latest, note, (begun) => {
        current.current = begun;
        if (hasLeft.current) begun.leave("left");
        else if (wasStopped.current) begun.stop();
        setStarting(false);
      });
    } finally {
      isBusy.current = false;
      setStarting(false);
    }
  }
  const stop = useCallback(() => {
    wasStopped.current = true;
    current.current?.stop();
  }, []);
  const sinceChange = useCallback(() => performance.now() - changedAt.current, []);
  return { run, rounds, isStarting, begin, stop, sinceChange };
}
