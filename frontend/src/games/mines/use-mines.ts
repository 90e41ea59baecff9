import { useCallback, useEffect, useRef, useState } from "react";
import { errorMessage } from "@/api/client";
import { IdempotentSender } from "@/api/idempotent-sender";
import { fetchOpenRounds, fetchSettledRound } from "@/games/rounds/api";
import { isPlainRefusal } from "@/games/rounds/refusals";
import { useOnVisible } from "@/lib/use-on-visible";
import { cashOutMines, type MinesRound, type MinesStart, openMinesOf, revealCell, startMines } from "./api";
import { isOver, settledFrom } from "./rules";

/** The request in progress; a cell if one is being revealed. */
export type Pending = "start" | "cash_out" | { cell: number } | null;
export type FieldState = { phase: "idle" | "playing" | "over"; round: MinesRound | null; pending: Pending };

export type MinesHandlers = {
  onBalance(round: MinesRound): void;
  /** The balance has changed to an unknown value. */
  onBalanceUnknown(): void;
  onStarted(round: MinesRound): void;
  /** A revealed cell was safe, and the round continues. */
  onSafe(round: MinesRound, cell: number): void;
  /** Once for each round that ends while it is shown. */
  onEnded(round: MinesRound): void;
  onRefused(title: string, description: string): void;
};

const IDLE: FieldState = { phase: "idle", round: null, pending: null };
const FALLBACK = "Something went wrong";

/** One round of mines at a time, in sync with the server after a reload and with other tabs. */
export function useMines(handlers: MinesHandlers) {
  const { state, isReady, current, latest, set, show, refresh, starts } = useServerField(handlers);
  const [reveals] = useState(() => new IdempotentSender());
  const [cashOuts] = useState(() => new IdempotentSender());

  /** Sends a request and shows the answer; if it fails, shows the server's round or the previous state. */
  const run = useCallback(
    async (pending: Pending, title: string, call: () => Promise<{ answer: MinesRound; isRepeated: boolean }>) => {
      const before = current.current;
      set({ ...before, pending });
      try {
        const { answer, isRepeated } = await call();
        latest.current.onBalance(answer);
        show(answer);
        // A replayed answer can describe a round that has been played further since.
        if (isRepeated) latest.current.onBalanceUnknown();
      } catch (error) {
        set(before);
        if (!isPlainRefusal(error)) await refresh();
        // If the round has advanced, that is shown instead.
        if (current.current === before) latest.current.onRefused(title, errorMessage(error, FALLBACK));
      }
    },
    [current, latest, refresh, set, show],
  );

  const start = useCallback(
    async (bet: MinesStart) => {
      const { phase, pending } = current.current;
      if (phase === "playing" || pending) return;
      await run("start", "Error starting game", () => starts.send(bet, startMines));
    },
    [current, run, starts],
  );
  const reveal = useCallback(
    async (cell: number) => {
      const { phase, pending, round } = current.current;
      if (phase !== "playing" || pending || !round || round.revealed.includes(cell)) return;
      await run({ cell }, "Error", () => reveals.send({ roundId: round.roundId, cell }, revealCell));
    },
    [current, reveals, run],
  );
  const cashOut = useCallback(async () => {
    const { phase, pending, round } = current.current;
    if (phase !== "playing" || pending || !round || round.revealed.length === 0) return;
    await run("cash_out", "Error cashing out", () => cashOuts.send({ roundId: round.roundId }, cashOutMines));
  }, [cashOuts, current, run]);
  return { state, isReady, start, reveal, cashOut };
}

/** The round in play, from responses and reloads. */
function useServerField(handlers: MinesHandlers) {
  const [state, setState] = useState<FieldState>(IDLE);
  const [isReady, setReady] = useState(false);
  const [starts] = useState(() => new IdempotentSender());
  // The latest state, for code that runs between renders.
  const current = useRef(state);
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const set = useCallback((next: FieldState) => {
    current.current = next;
    setState(next);
  }, []);

  /** Shows a round from the server; an end is final, an older round is over, and revealed cells stay revealed. */
  const show = useCallback(
    (round: MinesRound) => {
      const { round: known, phase } = current.current;
      const isSame = known?.roundId === round.roundId;
      const isOutdated =
        known !== null &&
        (round.roundId < known.roundId ||
          (isSame && (phase === "over" || (!isOver(round) && round.revealed.length < known.revealed.length))));
      if (isOutdated) return set({ ...current.current, pending: null });
      set({ phase: isOver(round) ? "over" : "playing", round, pending: null });
      const cell = round.revealed.at(-1);
      if (isOver(round)) latest.current.onEnded(round);
      else if (!isSame) latest.current.onStarted(round);
      else if (cell !== undefined && round.revealed.length > known.revealed.length) latest.current.onSafe(round, cell);
      return undefined;
    },
    [set],
  );

  /** Loads the round in play. */
  const refresh = useCallback(async () => {
    const begun = current.current;
    if (begun.pending) return;
    try {
      const open = openMinesOf(await fetchOpenRounds());
      if (current.current !== begun) return;
      if (open) {
        starts.forget();
        if (open.roundId !== begun.round?.roundId) latest.current.onBalance(open);
        if (open.roundId !== begun.round?.roundId || open.revealed.length !== begun.round.revealed.length) show(open);
      } else if (begun.phase === "playing" && begun.round) {
        const ended = settledFrom(begun.round, await fetchSettledRound(begun.round.roundId));
        if (current.current === begun && ended) show(ended);
        latest.current.onBalanceUnknown();
      }
    } catch (error) {
      console.warn("The round in play could not be loaded", error);
    }
  }, [starts, show]);
  useEffect(() => void refresh().finally(() => setReady(true)), [refresh]);
  useOnVisible(() => void refresh());
  return { state, isReady, current, latest, set, show, refresh, starts };
}
