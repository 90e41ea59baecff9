import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from "react";
import { FETCH_ONCE, useQuery } from "@/api/hooks";
import { useSession } from "@/api/session";
import { ResultChips, toast } from "@/components";
import type { Autobet } from "@/games/autobet/use-autobet";
import type { Closed, GameProps } from "@/games/definition";
import { BetsTable } from "@/games/rounds/bets-table";
import { GameFrame } from "@/games/rounds/game-frame";
import { recordOf } from "@/games/rounds/game-rounds";
import { OwnHistory } from "@/games/rounds/own-history";
import { Watermark } from "@/games/rounds/watermark";
import { useOwnRounds } from "@/games/rounds/use-own-rounds";
import { withAmount } from "@/lib/bet-rules";
import { facts } from "@/lib/facts";
import { centsOf, formatChange, formatWire, parseCents, wireAmount } from "@/lib/money";
import { useReducedMotion } from "@/lib/reduced-motion";
import { useTurbo } from "@/lib/turbo";
import { DiceBetPanel } from "./dice-bet-panel";
import { DiceStage } from "./dice-stage";
import { diceRounds } from "./rounds";
import { checkForm, type DiceForm, parseTarget, refuseBet, requestOf } from "./rules";
import { useDiceAutobet } from "./use-dice-autobet";
import { profitOf, type Rolled, useDiceBet } from "./use-dice-bet";

/** Used until the server's settings are loaded. */
const DEFAULT_FORM: DiceForm = {
  amount: wireAmount(facts.dice.bet_default_cents),
  target: String(facts.dice.target_default),
  side: "over",
};

export function DiceGame({ closed, onVerifyRound, onOpenFairness }: GameProps) {
  const { user } = useSession();
  const [form, setForm] = useState<DiceForm>(DEFAULT_FORM);
  const maximumCents = useDiceSettings(setForm);
  const [lastTarget, setLastTarget] = useState<number>(facts.dice.target_default);
  // Errors are shown only after the first interaction.
  const [isChecked, setChecked] = useState(false);
  const [last, setLast] = useState<DiceForm | null>(null);
  const { state, place, rounds, chips } = useRolls();

  const target = parseTarget(form.target) ?? lastTarget;
  const limits = { balanceCents: user ? centsOf(user.balance) : 0, maximumCents };
  const autobet = useDiceAutobet({ form, limits, isPaused: closed === "Paused", place });
  const isRolling = state.phase === "rolling";
  const { run, isRunning } = autobet;
  const shownForm = run && isRunning ? { ...form, amount: wireAmount(run.stakeCents) } : form;
  function change(next: DiceForm) {
    setForm(next);
    setChecked(true);
    setLastTarget(parseTarget(next.target) ?? lastTarget);
  }
  /** Whether the bet can be placed; otherwise says why not. */
  function isAccepted(bet: DiceForm): boolean {
    setChecked(true);
    const refusal = refuseBet(bet, limits);
    if (refusal) toast({ ...refusal, variant: "destructive" });
    return refusal === null;
  }
  function roll(bet: DiceForm) {
    if (isRolling || closed || autobet.isRunning || !isAccepted(bet)) return;
    setLast(bet);
    void place(requestOf(bet));
  }
  function play() {
    if (autobet.mode === "manual") roll(form);
    else if (!autobet.isRunning && !isRolling && !closed && isAccepted(form))
      autobet.start(parseCents(form.amount) ?? 0);
  }
  function repeat() {
    if (last === null) return;
    change(last);
    roll(last);
  }

  return (
    <GameFrame
      onOpenFairness={onOpenFairness}
      table={
        <div className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[304px_minmax(0,1fr)]">
          <div className="order-2 lg:order-1">
            <DiceBetPanel
              form={shownForm}
              limits={limits}
              refusals={isChecked && !isRunning ? checkForm(form, limits) : { amount: null, target: null }}
              autobet={autobet}
              isLocked={isRolling || autobet.isRunning}
              action={actionOf(autobet, form, isRolling, closed)}
              last={last}
              onChange={change}
              onPlay={play}
              onSubmit={() => (autobet.isRunning ? autobet.stop() : play())}
              onRepeat={repeat}
            />
          </div>
          <div className="stage-frame order-1 grid min-w-0 grid-cols-[minmax(0,1fr)] lg:order-2">
            <div className="stage grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] bg-well p-3 low:p-2">
              <Watermark />
              <ResultChips label="Last rolls" results={chips} onSelect={onVerifyRound} />
              <DiceStage
                target={parseTarget(shownForm.target)}
                lastTarget={target}
                side={shownForm.side}
                state={state}
                isLocked={isRolling || autobet.isRunning}
                onTargetChange={(next) => change({ ...form, target: String(next) })}
              />
            </div>
          </div>
        </div>
      }
      history={<OwnHistory game={diceRounds} noun="rolls" onVerifyRound={onVerifyRound} />}
      below={<BetsTable game={diceRounds} rounds={rounds} onVerifyRound={onVerifyRound} />}
    />
  );
}

/** The main button: it stays in place while autobet runs, and stops it. */
function actionOf(
  { mode, isRunning, run }: Autobet,
  form: DiceForm,
  isRolling: boolean,
  closed: Closed,
): { stage: string; label: string; isOff: boolean } {
  if (isRunning) return { stage: "autobet", label: "Stop autobet", isOff: run?.phase === "stopping" };
  const label = isRolling
    ? "Rolling…"
    : closed || (mode === "auto" ? "Start autobet" : withAmount("Roll for", form.amount));
  return { stage: mode, label, isOff: isRolling || closed !== "" };
}

/** The rolls and their results. */
function useRolls() {
  const { updateBalance } = useSession();
  const { rounds, chips, add } = useOwnRounds(diceRounds);
  const isStill = useReducedMotion();
  const isTurboOn = useTurbo();
  const onSettled = useCallback(
    (rolled: Rolled, isQuiet: boolean) => {
      const { bet, result } = rolled;
      updateBalance(result);
      add(recordOfRoll(rolled));
      if (isQuiet) return;
      const description = result.isWin
        ? `You rolled ${result.diceResult} and won ${formatWire(result.winAmount)} (${formatChange(profitOf(rolled))})`
        : `You rolled ${result.diceResult} and lost ${formatWire(bet.betAmount)}`;
      toast({ title: result.isWin ? "You Won!" : "You Lost", description });
    },
    [add, updateBalance],
  );
  return { ...useDiceBet({ isAtOnce: isStill || isTurboOn, onSettled }), rounds, chips };
}

function recordOfRoll({ bet, result }: Rolled) {
  const { roundId, diceResult, winAmount, isWin } = result;
  const { betAmount, targetNumber, betType } = bet;
  return recordOf({
    id: roundId,
    gameType: "dice",
    betAmount,
    winAmount,
    outcome: isWin ? "win" : "loss",
    diceResult,
    targetNumber,
    betType,
  });
}

/** Replaces our defaults with the server's once they are loaded; an error is only logged. */
function useDiceSettings(setForm: Dispatch<SetStateAction<DiceForm>>): number {
  const { data, error } = useQuery("/api/dice-settings", {}, FETCH_ONCE);
  useEffect(() => {
    // Input that was already changed is kept.
    if (data)
      setForm((form) =>
        form === DEFAULT_FORM
          ? { amount: data.betAmount, target: String(data.targetNumber), side: data.betType }
          : form,
      );
  }, [data, setForm]);
  useEffect(() => {
    if (error) console.warn("The dice settings could not be loaded", error);
  }, [error]);
  return data ? centsOf(data.maxBet) : facts.dice.bet_maximum_cents;
}
