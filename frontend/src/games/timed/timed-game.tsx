import { useCallback, useEffect, useState } from "react";
import { useSession } from "@/api/session";
import { dismissErrors, toast } from "@/components";
import type { Autobet } from "@/games/autobet/use-autobet";
import type { GameProps } from "@/games/definition";
import { BetsTable } from "@/games/rounds/bets-table";
import { recordOf } from "@/games/rounds/game-rounds";
import { OwnHistory } from "@/games/rounds/own-history";
import { type EndedRound, useCelebration } from "@/games/rounds/use-celebration";
import { useOwnRounds } from "@/games/rounds/use-own-rounds";
import type { Refusal } from "@/lib/bet-rules";
import { parseCents, wireAmount } from "@/lib/money";
import { playSound } from "@/lib/sound";
import { isTurbo } from "@/lib/turbo";
import type { LiveRound } from "./api";
import { type CashOutClaim, playCashOut } from "./cash-out-sound";
import { lateDescription } from "./late-cash-out";
import { LiveFrame } from "./live-frame";
import { LiveStage } from "./live-stage";
import { TextSlot, useLiveView } from "./live-view";
import type { MainActionProps } from "./main-action";
import { useRoundEnds } from "./round-ends";
import { isOver, roundOf } from "./round-state";
import type { TimedGameSpec } from "./timed-game-spec";
import { useLateCashOut } from "./use-late-cash-out";
import { useCashOutKey } from "./use-live-keys";
import { useLiveRound } from "./use-live-round";
import { useTimedAutobet } from "./use-timed-autobet";
import { useTimedBet } from "./use-timed-bet";

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
  C extends CashOutClaim,
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
  const bet = useTimedBet(spec);
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
  C extends CashOutClaim,
  P extends Refusals,
>(props: TimedGameProps<R, F, S, C, P>) {
  const { spec, game, canLeave, claim, closed, onVerifyRound, onOpenFairness } = props;
  const { form, shownForm, limits, isChecked, state, isReady, sinceChange, view, rounds, chips, lateText } = game;
  const { rounds: texts, Panel } = spec;
  const { user } = useSession();
  const isPlaying = state.phase === "playing";
  const isLocked = isPlaying || state.phase === "starting";
  const [last, setLast] = useState<F | null>(null);
  const autobet = useTimedAutobet(spec, {
    form,
    limits,
    isPaused: closed === "Paused",
    ends: game.ends,
    start: game.start,
  });
  const isBetting = autobet.isRunning && autobet.run?.phase !== "stopping";

  function leave() {
    const claimed = claim();
    if (!claimed) return;
    playCashOut(claimed);
    void game.cashOut(claimed);
  }
  useCashOutKey(isPlaying, leave, spec.cashOutWords);
  useCelebration(isOver(state) ? endedOf(state.round) : null, view.multiplier);

  /** Whether a bet can be placed; otherwise says why not. */
  function isAccepted(bet: F): boolean {
    if (!user) {
      toast({ title: "Not logged in", description: "You must be logged in to play", variant: "destructive" });
      return false;
    }
    game.check();
    const refusal = spec.refuseStart(bet, limits) ?? (autobet.mode === "auto" ? spec.refuseAutobet(bet) : null);
    if (refusal) toast({ ...refusal, variant: "destructive" });
    return refusal === null;
  }
  function begin(bet: F) {
    if (!isAccepted(bet)) return;
    dismissErrors();
    setLast(bet);
    playSound("bet");
    void game.start(spec.startOf(bet));
  }
  const isFree = isReady && !closed && !isLocked && !autobet.isRunning;
  /** Enter in a field starts the next round at once, and never cashes out the current one. */
  function play() {
    if (!isFree) return;
    if (autobet.mode === "manual") begin(form);
    else if (isAccepted(form)) autobet.start(parseCents(form.amount) ?? 0);
  }
  function repeat() {
    if (!isFree || last === null) return;
    game.change(last);
    begin(last);
  }
  function submit() {
    if (isBetting) autobet.stop();
    else if (isPlaying) leave();
    else if (!isOver(state)) play();
    else if (sinceChange() > LATE_CLICK_MS) {
      // One press fewer for those in a hurry.
      if (autobet.mode === "auto" || isTurbo()) play();
      else game.reset();
    }
  }

  const refusals = isChecked && !isLocked && !autobet.isRunning ? spec.checkForm(form, limits) : spec.noRefusals;
  const closedLabel = state.phase === "idle" && closed;
  const action = useAction(autobet, {
    phase: state.phase,
    label: closedLabel || spec.labelOf(state, form),
    slot: view.label,
    isOff: !isReady || !!closedLabel || state.phase === "starting" || (isPlaying && !canLeave),
    sinceChange,
    isClosed: !!closedLabel,
  });
  return (
    <LiveFrame
      onOpenFairness={onOpenFairness}
      rounds={
        <BetsTable game={texts} rounds={rounds} inPlay={isPlaying ? state.round : null} onVerifyRound={onVerifyRound} />
      }
      note={lateText}
      history={<OwnHistory game={texts} onVerifyRound={onVerifyRound} />}
      panel={
        <Panel
          form={
            isPlaying || !autobet.run || !autobet.isRunning
              ? shownForm
              : { ...form, amount: wireAmount(autobet.run.stakeCents) }
          }
          limits={limits}
          refusals={refusals}
          isLocked={isLocked || autobet.isRunning}
          action={action}
          autobet={autobet}
          last={last}
          onRepeat={repeat}
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

const endedOf = ({ roundId, betAmount, winAmount }: LiveRound): EndedRound => ({
  roundId,
  stakedAmount: betAmount,
  winAmount,
});

/** The main button: while autobet runs it stops it, and while that waits for its round, the round can be cashed out. */
function useAction(
  { mode, isRunning, run, sinceChange }: Autobet,
  byHand: MainActionProps & { isClosed: boolean },
): MainActionProps {
  // During a round the frames write into the other one.
  const [slot] = useState(() => new TextSlot());
  const sinceEither = () => Math.min(sinceChange(), byHand.sinceChange());
  const isStopping = run?.phase === "stopping";
  if (isRunning && !isStopping)
    return { phase: "autobet", label: "Stop autobet", slot, isOff: false, sinceChange: sinceEither };
  const isByHand = mode === "manual" || byHand.phase === "playing" || byHand.isClosed;
  if (isByHand) return { ...byHand, sinceChange: sinceEither };
  if (isStopping) return { phase: "stopping", label: "Stopping…", slot, isOff: true, sinceChange: sinceEither };
  return { phase: "auto", label: "Start autobet", slot, isOff: byHand.isOff, sinceChange: sinceEither };
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
  const ends = useRoundEnds<R>();
  const onEnded = useCallback(
    (round: R) => {
      const { title, description, outcome } = spec.ending(round);
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
      const isAutobet = ends.note(round);
      if (!isAutobet) toast({ title, description: lateDescription(textOf(roundId), betAmount) ?? description });
    },
    [spec, add, textOf, ends],
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
  const knownId = roundOf(live.state)?.roundId;
  useEffect(() => {
    if (knownId !== undefined) ends.noteKnown(knownId);
  }, [knownId, ends]);
  return { ...live, ends, rounds, chips, lateText: late === null ? null : textOf(roundOf(live.state)?.roundId) };
}
