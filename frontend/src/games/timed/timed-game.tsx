import { useCallback, useEffect, useState } from "react";
import useSWR from "swr";
import { FETCH_ONCE } from "@/api/hooks";
import { useSession } from "@/api/session";
import { dismissErrors, toast } from "@/components";
import type { GameProps } from "@/games/definition";
import { recordOf } from "@/games/rounds/game-rounds";
import { OwnHistory } from "@/games/rounds/own-history";
import { OwnRounds } from "@/games/rounds/own-rounds";
import { useOwnRounds } from "@/games/rounds/use-own-rounds";
import type { Refusal } from "@/lib/bet-rules";
import { centsOf } from "@/lib/money";
import { beep } from "@/lib/sound";
import type { LiveRound } from "./api";
import { lateDescription } from "./late-cash-out";
import { LiveFrame } from "./live-frame";
import { LiveStage } from "./live-stage";
import { useLiveView } from "./live-view";
import { isOver, roundOf } from "./round-state";
import type { TimedGameSpec } from "./timed-game-spec";
import { useLateCashOut } from "./use-late-cash-out";
import { useCashOutKey } from "./use-live-keys";
import { useLiveRound } from "./use-live-round";

/** A click this soon after the end counts as a late cash-out. */
const LATE_CLICK_MS = 400;

type Refusals = Record<string, Refusal | null>;
type Leaving<C> = {
  /** Whether the round can be cashed out at this moment. */
  canLeave: boolean;
  /** What a cash-out would claim now; null if there is nothing to claim. */
  claim(): C | null;
};
type TimedGameProps<
  R extends LiveRound,
  F extends { amount: string },
  S extends object,
  C extends object,
  P extends Refusals,
> = GameProps &
  Leaving<C> & {
    spec: TimedGameSpec<R, F, S, C, P>;
    game: ReturnType<typeof useTimedGame<R, F, S, C, P>>;
  };

/** The bet and the round of a timed game. The game itself draws its frames into the view. */
export function useTimedGame<
  R extends LiveRound,
  F extends { amount: string },
  S extends object,
  C extends object,
  P extends Refusals,
>(spec: TimedGameSpec<R, F, S, C, P>) {
  const bet = useBet(spec);
  const round = useTimedRound(spec);
  const view = useLiveView();
  const { state } = round;
  return { ...bet, ...round, view, shownForm: state.phase === "playing" ? spec.formOf(state.round) : bet.form };
}

/** A game whose rounds run on a clock until they crash or the player cashes out. */
export function TimedGame<
  R extends LiveRound,
  F extends { amount: string },
  S extends object,
  C extends object,
  P extends Refusals,
>(props: TimedGameProps<R, F, S, C, P>) {
  const { spec, game, canLeave, claim, isPaused, onVerifyRound, onOpenFairness } = props;
  const { form, shownForm, limits, isChecked, state, isReady, sinceChange, view, rounds, chips, lateText } = game;
  const { rounds: texts, Panel } = spec;
  const { user } = useSession();
  const isPlaying = state.phase === "playing";
  const isLocked = isPlaying || state.phase === "starting";

  function leave() {
    const claimed = claim();
    if (claimed) void game.cashOut(claimed);
  }
  useCashOutKey(isPlaying, leave);

  function begin() {
    if (isPaused) return;
    if (!user) {
      toast({ title: "Not logged in", description: "You must be logged in to play", variant: "destructive" });
      return;
    }
    game.check();
    const refusal = spec.refuseStart(form, limits);
    if (refusal) {
      toast({ ...refusal, variant: "destructive" });
      return;
    }
    dismissErrors();
    beep("start");
    void game.start(spec.startOf(form));
  }
  /** Enter in a field starts the next round at once, and never cashes out the current one. */
  function play() {
    if (isReady && (state.phase === "idle" || isOver(state))) begin();
  }
  function submit() {
    if (isPlaying) leave();
    else if (state.phase === "idle" && isReady) begin();
    else if (isOver(state) && sinceChange() > LATE_CLICK_MS) game.reset();
  }

  const isClosed = isPaused && state.phase === "idle";
  const isOff = !isReady || isClosed || state.phase === "starting" || (isPlaying && !canLeave);
  const refusals = isChecked && !isLocked ? spec.checkForm(form, limits) : spec.noRefusals;
  const action = {
    phase: state.phase,
    label: isClosed ? "Paused" : spec.labelOf(state, form),
    slot: view.label,
    isOff,
    sinceChange,
  };
  return (
    <LiveFrame
      onOpenFairness={onOpenFairness}
      rounds={
        <OwnRounds game={texts} rounds={rounds} inPlay={isPlaying ? state.round : null} onVerifyRound={onVerifyRound} />
      }
      note={lateText}
      history={<OwnHistory game={texts} onVerifyRound={onVerifyRound} />}
      panel={
        <Panel
          form={shownForm}
          limits={limits}
          refusals={refusals}
          isLocked={isLocked}
          action={action}
          onChange={game.change}
          onPlay={play}
          onSubmit={submit}
        />
      }
      stage={
        <LiveStage
          isLow={spec.isStageLow ?? false}
          view={view}
          {...spec.stageOf(state)}
          isPlaying={isPlaying}
          chips={chips}
          onVerifyRound={onVerifyRound}
        />
      }
    />
  );
}

/** The next bet and its limits. */
function useBet<
  R extends LiveRound,
  F extends { amount: string },
  S extends object,
  C extends object,
  P extends Refusals,
>(spec: TimedGameSpec<R, F, S, C, P>) {
  const { calls, defaultForm, defaultLimits, fetchSettings } = spec;
  const { user } = useSession();
  const [typed, setTyped] = useState<F | null>(null);
  // Errors are shown only after the first interaction.
  const [isChecked, setChecked] = useState(false);
  const { data, error } = useSWR(`${calls.game}-settings`, fetchSettings, FETCH_ONCE);
  useEffect(() => {
    if (error) console.warn(`The ${calls.game} settings could not be loaded`, error);
  }, [error, calls.game]);
  const bounds = data ? { minimumCents: centsOf(data.minBet), maximumCents: centsOf(data.maxBet) } : defaultLimits;
  return {
    // Input that was already changed is kept; otherwise the server's defaults replace ours.
    form: typed ?? data?.form ?? defaultForm,
    limits: { ...bounds, balanceCents: user ? centsOf(user.balance) : 0 },
    isChecked,
    check: () => setChecked(true),
    change(next: F) {
      setTyped(next);
      setChecked(true);
    },
  };
}

/** The round in play and the toasts at its end. */
function useTimedRound<
  R extends LiveRound,
  F extends { amount: string },
  S extends object,
  C extends object,
  P extends Refusals,
>(spec: TimedGameSpec<R, F, S, C, P>) {
  const { updateBalance, refresh } = useSession();
  const { rounds, chips, add } = useOwnRounds(spec.rounds);
  const { late, note, textOf } = useLateCashOut();
  const onEnded = useCallback(
    (round: R) => {
      const { title, description, outcome, isWin } = spec.ending(round);
      const { roundId, betAmount, winAmount } = round;
      add(
        recordOf({
          ...spec.recordFields(round),
          id: roundId,
          gameType: spec.rounds.gameType,
          betAmount,
          winAmount,
          outcome,
        }),
      );
      toast({ title, description: lateDescription(textOf(roundId), betAmount) ?? description });
      beep(isWin ? "won" : "lost");
    },
    [spec, add, textOf],
  );
  const live = useLiveRound(spec.calls, {
    onBalance: updateBalance,
    onBalanceUnknown: () => void refresh(),
    onEnded,
    onRefused: (title, description) => toast({ title, description, variant: "destructive" }),
    onLate(leaving, { betAmount }, wasShown) {
      note(leaving);
      const description = lateDescription(textOf(leaving.roundId), betAmount);
      if (wasShown && description !== null) toast({ title: spec.lateTitle, description });
    },
  });
  return { ...live, rounds, chips, lateText: late === null ? null : textOf(roundOf(live.state)?.roundId) };
}
