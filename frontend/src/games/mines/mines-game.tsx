import { useCallback, useEffect, useMemo, useState } from "react";
import useSWR from "swr";
import { useSession } from "@/api/session";
import { dismissErrors, LiveRegion, toast } from "@/components";
import type { Closed, GameProps } from "@/games/definition";
import { BetsTable } from "@/games/rounds/bets-table";
import { GameFrame } from "@/games/rounds/game-frame";
import { recordOf } from "@/games/rounds/game-rounds";
import { OwnHistory } from "@/games/rounds/own-history";
import { useOwnRounds } from "@/games/rounds/use-own-rounds";
import { useCashOutKey } from "@/games/timed/use-live-keys";
import { withAmount } from "@/lib/bet-rules";
import { centsOf, formatWire } from "@/lib/money";
import { playSound } from "@/lib/sound";
import { fetchMinesSettings, type MinesRound } from "./api";
import { MinesBetPanel } from "./mines-bet-panel";
import { MinesStage } from "./mines-stage";
import { CELLS } from "./multiplier";
import { counted, minesRounds } from "./rounds";
import {
  DEFAULT_FORM,
  DEFAULT_LIMITS,
  DEFAULT_MAX_PAYOUT_CENTS,
  ending,
  type MinesForm,
  randomCell,
  refuseStart,
  revealedText,
  rungsOf,
  safeCellsOf,
  startOf,
} from "./rules";
import { type FieldState, useMines } from "./use-mines";

export function MinesGame({ closed, onVerifyRound, onOpenFairness }: GameProps) {
  const { form, change, check, isChecked, limits, maximumPayoutCents } = useBet();
  const { state, isReady, announcement, rounds, chips, start, reveal, cashOut } = useField();
  const { phase, round, pending } = state;
  const isPlaying = phase === "playing";
  const isLocked = isPlaying || pending === "start";
  const shownForm = isPlaying && round ? { amount: round.betAmount, mines: round.mines } : form;
  const rungs = rungsOf(shownForm, maximumPayoutCents);
  const refusal = refuseStart(form, limits);

  const [last, setLast] = useState<MinesForm | null>(null);

  function onStart(bet: MinesForm) {
    if (isLocked || !isReady || closed) return;
    check();
    const refused = refuseStart(bet, limits);
    if (refused) {
      toast({ ...refused, variant: "destructive" });
      return;
    }
    dismissErrors();
    playSound("bet");
    setLast(bet);
    void start(startOf(bet));
  }
  function onRepeat() {
    if (last === null) return;
    change(last);
    onStart(last);
  }
  function onRandomPick() {
    if (!round) return;
    const cell = randomCell(
      Array.from({ length: CELLS }, (_, index) => index).filter((index) => !round.revealed.includes(index)),
    );
    if (cell !== null) void reveal(cell);
  }
  useCashOutKey(isPlaying, () => void cashOut());
  return (
    <GameFrame
      onOpenFairness={onOpenFairness}
      table={
        <section aria-label="Mines" className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[304px_minmax(0,1fr)]">
          <div className="order-2 lg:order-1">
            <MinesBetPanel
              form={shownForm}
              limits={limits}
              refusal={isChecked && !isLocked ? refusal : null}
              isLocked={isLocked}
              rungs={rungs}
              action={{ stage: phase, ...actionOf(state, form, isReady, closed) }}
              onChange={change}
              onPlay={() => onStart(form)}
              onMain={() => (isPlaying ? void cashOut() : onStart(form))}
              lastBet={last}
              onRepeat={onRepeat}
            />
          </div>
          <div className="order-1 min-w-0 lg:order-2">
            <MinesStage
              state={state}
              mines={phase === "idle" || !round ? form.mines : round.mines}
              rungs={rungs}
              chips={chips}
              onReveal={(cell) => void reveal(cell)}
              onRandomPick={onRandomPick}
              onVerifyRound={onVerifyRound}
            />
          </div>
          <LiveRegion message={announcement} />
        </section>
      }
      history={<OwnHistory game={minesRounds} onVerifyRound={onVerifyRound} />}
      below={
        <BetsTable game={minesRounds} rounds={rounds} inPlay={isPlaying ? round : null} onVerifyRound={onVerifyRound} />
      }
    />
  );
}

/** The main button's label, and whether it is enabled. */
function actionOf(
  { phase, round, pending }: FieldState,
  form: MinesForm,
  isReady: boolean,
  closed: Closed,
): { label: string; isOff: boolean } {
  if (phase === "playing" && round) {
    if (round.revealed.length === 0) return { label: "Choose a cell", isOff: true };
    return pending === "cash_out"
      ? { label: "Cashing out…", isOff: true }
      : { label: `Cash out ${formatWire(round.payout)}`, isOff: false };
  }
  if (closed) return { label: closed, isOff: true };
  return {
    label: withAmount(pending === "start" ? "Placing bet" : "Place bet", form.amount),
    isOff: !isReady || pending !== null,
  };
}

/** The next bet and its limits. */
function useBet() {
  const { user } = useSession();
  const [typed, setTyped] = useState<MinesForm | null>(null);
  // Errors are shown only after the first interaction.
  const [isChecked, setChecked] = useState(false);
  const { data, error } = useSWR("mines-settings", fetchMinesSettings);
  useEffect(() => {
    if (error) console.warn("The mines settings could not be loaded", error);
  }, [error]);
  const bounds = data ? { minimumCents: centsOf(data.minBet), maximumCents: centsOf(data.maxBet) } : DEFAULT_LIMITS;
  return {
    // Input that was already changed is kept; otherwise the server's defaults replace ours.
    form: typed ?? (data ? { amount: data.betAmount, mines: data.mines } : DEFAULT_FORM),
    limits: { ...bounds, balanceCents: user ? centsOf(user.balance) : 0 },
    maximumPayoutCents: data ? centsOf(data.maxPayout) : DEFAULT_MAX_PAYOUT_CENTS,
    isChecked,
    check: () => setChecked(true),
    change(next: MinesForm) {
      setTyped(next);
      setChecked(true);
    },
  };
}

/** The round in play and its announcements. */
function useField() {
  const { updateBalance, refresh } = useSession();
  const [announcement, setAnnouncement] = useState("");
  const { rounds, chips, add } = useOwnRounds(minesRounds);
  const onEnded = useCallback(
    (round: MinesRound) => {
      const { title, description, outcome } = ending(round);
      const { roundId, betAmount, winAmount, mines } = round;
      const revealedCells = safeCellsOf(round).length;
      add(recordOf({ id: roundId, gameType: "mines", betAmount, winAmount, outcome, mines, revealedCells }));
      // The toast announces the result.
      setAnnouncement("");
      toast({ title, description });
    },
    [add],
  );
  const handlers = useMemo(
    () => ({
      onBalance: updateBalance,
      onBalanceUnknown: () => void refresh(),
      onStarted: (round: MinesRound) =>
        setAnnouncement(
          `${counted(round.mines, "mine")} in 25 cells. ${round.revealed.length === 0 ? "Choose a cell." : `${counted(round.revealed.length, "safe cell")} so far.`}`,
        ),
      onSafe(round: MinesRound, cell: number) {
        playSound("tile");
        setAnnouncement(revealedText(round, cell));
      },
      onEnded,
      onRefused: (title: string, description: string) => toast({ title, description, variant: "destructive" }),
    }),
    [updateBalance, refresh, onEnded],
  );
  return { ...useMines(handlers), announcement, rounds, chips };
}
