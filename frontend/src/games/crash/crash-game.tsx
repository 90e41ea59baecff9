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
import { centsOf, formatChange, formatWire } from "@/lib/money";
import { beep } from "@/lib/sound";
import { type CrashCashOut, type CrashRound, type CrashStart, cashOutCrash, crashDetailsOf, fetchCrashSettings, startCrash } from "./api";
import { CrashBetPanel } from "./crash-bet-panel";
import { crashRounds } from "./rounds";
import { checkForm, type CrashForm, DEFAULT_FORM, DEFAULT_LIMITS, ending, formOf, hundredthsOf, payoutAt, refuseStart, shownMultiplier, startOf } from "./rules";
import { limitOf, type Shown, useCrashFrames } from "./use-crash-frames";

/** A click that comes so soon after the end was meant for the cash-out. */
const LATE_CLICK_MS = 400;

const GAME: LiveGame<CrashRound, CrashStart, CrashCashOut> = {
  game: "crash",
  start: startCrash,
  cashOut: cashOutCrash,
  settledFrom(known, round) {
    const crash = crashDetailsOf(round);
    if (!crash) return null;
    const { winAmount } = round;
    const { crashPoint, cashoutMultiplier } = crash;
    return { ...known, result: cashoutMultiplier === null ? "crashed" : "cashed_out", crashPoint, cashoutMultiplier, winAmount };
  },
};

type CrashGameProps = { onVerifyRound(id: number): void; onOpenFairness(): void };

export function CrashGame({ onVerifyRound, onOpenFairness }: CrashGameProps) {
  const { user, updateBalance, refresh } = useSession();
  const [form, setForm] = useState<CrashForm>(DEFAULT_FORM);
  const bounds = useCrashSettings(setForm);
  // Nobody is told off before they have touched anything.
  const [isChecked, setChecked] = useState(false);
  const { rounds, chips, add } = useOwnRounds(crashRounds);
  const { late, note, textOf } = useLateLeaving();
  const view = useLiveView();

  const onEnded = useCallback(
    (round: CrashRound) => {
      const { title, description, outcome, isWin } = ending(round);
      const { roundId, betAmount, winAmount, crashPoint, cashoutMultiplier, autoCashoutMultiplier } = round;
      add(recordOf({ id: roundId, gameType: "crash", betAmount, winAmount, outcome, crashPoint, cashoutMultiplier, autoCashoutMultiplier }));
      toast({ title, description: lateDescription(textOf(round.roundId), round.betAmount) ?? description });
      beep(isWin ? "won" : "lost");
    },
    [add, textOf],
  );
  const { state, isReady, start, cashOut, reset, sinceChange } = useLiveRound(GAME, {
    onBalance: updateBalance,
    onBalanceUnknown: () => void refresh(),
    onEnded,
    onRefused: (title, description) => toast({ title, description, variant: "destructive" }),
    onLate(leaving, { betAmount }, isToldAlready) {
      note(leaving);
      const description = lateDescription(textOf(leaving.roundId), betAmount);
      if (isToldAlready && description !== null) toast({ title: "Crashed!", description });
    },
  });
  const shownForm = state.phase === "playing" ? formOf(state.round) : form;
  const shown = useCrashFrames(state, shownForm.curve, view);

  const limits = { ...bounds, balanceCents: user ? centsOf(user.balance) : 0 };
  function leave() {
    const claim = claimOf(state, shown.current);
    if (claim) void cashOut(claim);
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
  function change(next: CrashForm) {
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
  return (
    <LiveFrame
      onOpenFairness={onOpenFairness}
      rounds={<OwnRounds game={crashRounds} rounds={rounds} inPlay={isPlaying ? state.round : null} onVerifyRound={onVerifyRound} />}
      note={late === null ? null : textOf(roundOf(state)?.roundId)}
      history={<OwnHistory game={crashRounds} onVerifyRound={onVerifyRound} />}
      panel={
        <CrashBetPanel
          form={shownForm}
          limits={limits}
          refusals={isChecked && !isLocked ? checkForm(form, limits) : { amount: null, auto: null }}
          isLocked={isLocked}
          action={{ phase: state.phase, label: labelOf(state, form), slot: view.label, isOff: !isReady || state.phase === "starting", sinceChange }}
          onChange={change}
          onPlay={play}
          onSubmit={submit}
        />
      }
      stage={<LiveStage view={view} {...stageOf(state)} isPlaying={isPlaying} chips={chips} onVerifyRound={onVerifyRound} />}
    />
  );
}

/** Claims what the player sees; nothing while the automatic cash-out is being answered. */
function claimOf(state: LiveState<CrashRound>, shown: Shown | null): CrashCashOut | null {
  if (state.phase !== "playing" || state.isCashingOut || shown?.roundId !== state.round.roundId) return null;
  const { round } = state;
  if (shown.hundredths >= limitOf(round)) return null;
  return { betAmount: round.betAmount, cashoutMultiplier: (shown.hundredths / 100).toFixed(2), roundId: round.roundId };
}

function labelOf(state: LiveState<CrashRound>, form: CrashForm): string {
  if (state.phase === "playing") return `Cash out ${payoutAt(state.round, 100)}`;
  if (isOver(state)) return "Play Again";
  return withAmount(state.phase === "starting" ? "Placing bet" : "Place bet", form.amount);
}

type StageText = { phase: string; multiplier: string; caption: string; tone: "plain" | "won" | "lost" };

function stageOf(state: LiveState<CrashRound>): StageText {
  const { phase } = state;
  if (!isOver(state)) {
    const caption = phase === "idle" ? "Place a bet; cash out before it crashes" : phase === "starting" ? "Starting" : `Payout now ${payoutAt(state.round, 100)}`;
    return { phase, multiplier: "1.00×", caption, tone: "plain" };
  }
  const { round } = state;
  if (phase === "crashed") {
    return { phase, multiplier: shownMultiplier(hundredthsOf(round.crashPoint ?? 1)), caption: `Crashed: lost ${formatWire(round.betAmount)}`, tone: "lost" };
  }
  const point = round.crashPoint === null ? "" : `. It crashed at ${round.crashPoint.toFixed(2)}×`;
  const profit = centsOf(round.winAmount) - centsOf(round.betAmount);
  return { phase, multiplier: shownMultiplier(hundredthsOf(round.cashoutMultiplier ?? 1)), caption: `Cashed out: ${formatChange(profit)}${point}`, tone: "won" };
}

/** The server's defaults take the place of ours once they are there; an error is only logged. */
function useCrashSettings(setForm: Dispatch<SetStateAction<CrashForm>>) {
  const { data, error } = useSWR("crash-settings", fetchCrashSettings);
  useEffect(() => {
    // What somebody has begun to type is left alone.
    if (data) setForm((form) => (form === DEFAULT_FORM ? { amount: data.betAmount, auto: data.autoCashoutMultiplier.toFixed(2), curve: data.curve } : form));
  }, [data, setForm]);
  useEffect(() => {
    if (error) console.warn("The crash settings could not be loaded", error);
  }, [error]);
  return data ? { minimumCents: centsOf(data.minBet), maximumCents: centsOf(data.maxBet) } : DEFAULT_LIMITS;
}
