import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from "react";
import useSWR from "swr";
import { useSession } from "@/api/session";
import { dismissErrors, toast } from "@/components";
import { recordOf } from "@/games/rounds/game-rounds";
import { OwnHistory } from "@/games/rounds/own-history";
import { OwnRounds } from "@/games/rounds/own-rounds";
import { useOwnRounds } from "@/games/rounds/use-own-rounds";
import { LiveFrame, LiveStage, useLateLeaving, useLiveView } from "@/games/timed";
import { lateDescription } from "@/games/timed/late-leaving";
import { isOver, type LiveState, roundOf } from "@/games/timed/round-state";
import { useCashOutKey } from "@/games/timed/use-live-keys";
import { type LiveGame, useLiveRound } from "@/games/timed/use-live-round";
import { withAmount } from "@/lib/bet-rules";
import { centsOf, formatWire } from "@/lib/money";
import { useReducedMotion } from "@/lib/reduced-motion";
import { beep } from "@/lib/sound";
import { type StonksCashOut, type StonksRound, type StonksStart, cashOutStonks, fetchStonksSettings, startStonks, stonksDetailsOf } from "./api";
import { stonksRounds } from "./rounds";
import { checkForm, DEFAULT_FORM, DEFAULT_LIMITS, ending, formOf, refuseStart, resultText, shownMultiplier, startOf, type StonksForm, worthAt } from "./rules";
import { StonksBetPanel } from "./stonks-bet-panel";
import { useStonksFrames } from "./use-stonks-frames";
import { useStonksTrack } from "./use-stonks-track";

/** A click that comes so soon after the end was meant for the sale. */
const LATE_CLICK_MS = 400;

const GAME: LiveGame<StonksRound, StonksStart, StonksCashOut> = {
  game: "stonks",
  start: startStonks,
  cashOut: cashOutStonks,
  settledFrom(known, round) {
    const stonks = stonksDetailsOf(round);
    if (!stonks) return null;
    const { winAmount } = round;
    const { cashoutMultiplier, points, soldAtTick } = stonks;
    // Up to the sale, as it was seen; the rest of the path is the verifier's.
    const seen = soldAtTick === null ? points : points.slice(0, soldAtTick + 1);
    return { ...known, result: cashoutMultiplier === null ? "crashed" : "cashed_out", points: seen, cashoutMultiplier, winAmount };
  },
};

type StonksGameProps = { onVerifyRound(id: number): void; onOpenFairness(): void };

export function StonksGame({ onVerifyRound, onOpenFairness }: StonksGameProps) {
  const { user, updateBalance, refresh } = useSession();
  const [form, setForm] = useState<StonksForm>(DEFAULT_FORM);
  const bounds = useStonksSettings(setForm);
  // Nobody is told off before they have touched anything.
  const [isChecked, setChecked] = useState(false);
  const { rounds, chips, add } = useOwnRounds(stonksRounds);
  const { late, note, textOf } = useLateLeaving();
  const view = useLiveView();
  const isStill = useReducedMotion();

  const onEnded = useCallback(
    (round: StonksRound) => {
      const { title, description, outcome, isWin } = ending(round);
      const { roundId, betAmount, winAmount, cashoutMultiplier } = round;
      add(recordOf({ id: roundId, gameType: "stonks", betAmount, winAmount, outcome, cashoutMultiplier }));
      toast({ title, description: lateDescription(textOf(round.roundId), round.betAmount) ?? description });
      beep(isWin ? "won" : "lost");
    },
    [add, textOf],
  );
  const { state, isReady, start, cashOut, reset, apply, sync, sinceChange } = useLiveRound(GAME, {
    onBalance: updateBalance,
    onBalanceUnknown: () => void refresh(),
    onEnded,
    onRefused: (title, description) => toast({ title, description, variant: "destructive" }),
    onLate(leaving, { betAmount }, isToldAlready) {
      note(leaving);
      const description = lateDescription(textOf(leaving.roundId), betAmount);
      if (isToldAlready && description !== null) toast({ title: "Stonks Crashed!", description });
    },
  });
  const { track, canSell } = useStonksTrack({ state, apply, sync });
  const shown = useStonksFrames({ state, track, view, isStill });

  const limits = { ...bounds, balanceCents: user ? centsOf(user.balance) : 0 };
  function leave() {
    const multiplier = shown.current;
    if (state.phase !== "playing" || state.isCashingOut || !canSell || !multiplier) return;
    const { betAmount, autoCashoutProfit, roundId } = state.round;
    void cashOut({ betAmount, cashoutMultiplier: multiplier.toFixed(3), autoCashoutProfit, roundId });
  }
  useCashOutKey(state.phase === "playing", leave);

  function begin() {
    if (!user) {
      toast({ title: "Not logged in", description: "You must be logged in to play", variant: "destructive" });
      return;
    }
    setChecked(true);
    const refusal = refuseStart(form, limits);
    if (refusal) {
      toast({ ...refusal, variant: "destructive" });
      return;
    }
    dismissErrors();
    beep("start");
    void start(startOf(form));
  }
  function change(next: StonksForm) {
    setForm(next);
    setChecked(true);
  }
  /** Enter in a field: the next round, at once. It never leaves the one that is on. */
  function play() {
    if (isReady && (state.phase === "idle" || isOver(state))) begin();
  }
  function submit() {
    if (state.phase === "playing") leave();
    else if (state.phase === "idle" && isReady) begin();
    else if (isOver(state) && sinceChange() > LATE_CLICK_MS) reset();
  }

  const isPlaying = state.phase === "playing";
  const isLocked = isPlaying || state.phase === "starting";
  const isOff = !isReady || state.phase === "starting" || (isPlaying && !canSell);
  return (
    <LiveFrame
      onOpenFairness={onOpenFairness}
      rounds={<OwnRounds game={stonksRounds} rounds={rounds} inPlay={isPlaying ? state.round : null} onVerifyRound={onVerifyRound} />}
      note={late === null ? null : textOf(roundOf(state)?.roundId)}
      history={<OwnHistory game={stonksRounds} onVerifyRound={onVerifyRound} />}
      panel={
        <StonksBetPanel
          form={isPlaying ? formOf(state.round) : form}
          limits={limits}
          refusals={isChecked && !isLocked ? checkForm(form, limits) : { amount: null, target: null }}
          isLocked={isLocked}
          action={{ phase: state.phase, label: labelOf(state, form), slot: view.label, isOff, sinceChange }}
          onChange={change}
          onPlay={play}
          onSubmit={submit}
        />
      }
      stage={<LiveStage isLow view={view} {...stageOf(state)} isPlaying={isPlaying} chips={chips} onVerifyRound={onVerifyRound} />}
    />
  );
}

function labelOf(state: LiveState<StonksRound>, form: StonksForm): string {
  if (state.phase === "playing") return `Sell Now ${worthAt(state.round, state.round.points.at(-1) ?? 1)}`;
  if (isOver(state)) return "Trade Again";
  return withAmount(state.phase === "starting" ? "Starting" : "Start Trading", form.amount);
}

type StageText = { phase: string; multiplier: string; caption: string; tone: "plain" | "won" | "lost" };

function stageOf(state: LiveState<StonksRound>): StageText {
  const { phase } = state;
  if (!isOver(state)) {
    const caption = phase === "idle" ? "Invest; sell before it crashes to zero" : phase === "starting" ? "Starting" : `Worth now ${worthAt(state.round, 1)}`;
    return { phase, multiplier: shownMultiplier(1), caption, tone: "plain" };
  }
  const { round } = state;
  if (phase === "crashed") return { phase, multiplier: shownMultiplier(0), caption: `Crashed: lost ${formatWire(round.betAmount)}`, tone: "lost" };
  const isProfit = centsOf(round.winAmount) > centsOf(round.betAmount);
  const caption = `Sold for ${formatWire(round.winAmount)}: ${resultText(round)}`;
  return { phase, multiplier: shownMultiplier(round.cashoutMultiplier ?? 1), caption, tone: isProfit ? "won" : "plain" };
}

/** The server's defaults take the place of ours once they are there; an error is only logged. */
function useStonksSettings(setForm: Dispatch<SetStateAction<StonksForm>>) {
  const { data, error } = useSWR("stonks-settings", fetchStonksSettings);
  useEffect(() => {
    // What somebody has begun to type is left alone.
    if (data) setForm((form) => (form === DEFAULT_FORM ? { amount: data.betAmount, target: data.autoCashoutProfit ?? "" } : form));
  }, [data, setForm]);
  useEffect(() => {
    if (error) console.warn("The stonks settings could not be loaded", error);
  }, [error]);
  return data ? { minimumCents: centsOf(data.minBet), maximumCents: centsOf(data.maxBet) } : DEFAULT_LIMITS;
}
