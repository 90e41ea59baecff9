import type { GameProps } from "@/games/definition";
import { isOver, type LiveState } from "@/games/timed/round-state";
import { TimedGame, useTimedGame } from "@/games/timed/timed-game";
import type { StageText, TimedGameSpec } from "@/games/timed/timed-game-spec";
import { withAmount } from "@/lib/bet-rules";
import { centsOf, formatWire } from "@/lib/money";
import { useReducedMotion } from "@/lib/reduced-motion";
import {
  type StonksCashOut,
  type StonksRound,
  type StonksStart,
  cashOutStonks,
  fetchStonksSettings,
  startStonks,
  stonksDetailsOf,
} from "./api";
import { stonksRounds } from "./rounds";
import {
  checkForm,
  DEFAULT_FORM,
  DEFAULT_LIMITS,
  ending,
  formOf,
  refuseAutobet,
  refuseStart,
  resultText,
  shownMultiplier,
  startOf,
  type StonksForm,
  type StonksRefusals,
  worthAt,
} from "./rules";
import { StonksBetPanel } from "./stonks-bet-panel";
import { useStonksFrames } from "./use-stonks-frames";
import { usePricePath } from "./use-price-path";
import { useWholePath } from "./use-whole-path";

const STONKS: TimedGameSpec<StonksRound, StonksForm, StonksStart, StonksCashOut, StonksRefusals> = {
  calls: {
    game: "stonks",
    openOf: ({ stonks }) => stonks,
    start: startStonks,
    cashOut: cashOutStonks,
    settledFrom(known, round) {
      const stonks = stonksDetailsOf(round);
      if (!stonks) return null;
      const { cashoutMultiplier, points, soldAtTick } = stonks;
      // Up to the sale; the verifier shows the rest of the path.
      const seen = soldAtTick === null ? points : points.slice(0, soldAtTick + 1);
      return {
        ...known,
        result: cashoutMultiplier === null ? "crashed" : "cashed_out",
        points: seen,
        cashoutMultiplier,
        winAmount: round.winAmount,
      };
    },
  },
  rounds: stonksRounds,
  recordFields: ({ cashoutMultiplier }) => ({ ...(cashoutMultiplier !== null && { cashoutMultiplier }) }),
  defaultForm: DEFAULT_FORM,
  defaultLimits: DEFAULT_LIMITS,
  async fetchSettings() {
    const { betAmount, autoCashoutProfit, minBet, maxBet } = await fetchStonksSettings();
    return { form: { amount: betAmount, target: autoCashoutProfit ?? "" }, minBet, maxBet };
  },
  checkForm,
  noRefusals: { amount: null, target: null },
  refuseStart,
  refuseAutobet,
  startOf,
  formOf,
  ending,
  cashOutWords: "Sell",
  lateTitle: "Stonks Crashed!",
  labelOf,
  stageOf,
  isStageLow: true,
  Panel: StonksBetPanel,
};

export function StonksGame(props: GameProps) {
  const game = useTimedGame(STONKS);
  const { state, view, apply, sync } = game;
  const isStill = useReducedMotion();
  const { path, canSell } = usePricePath({ state, apply, sync });
  const whole = useWholePath(state);
  const shown = useStonksFrames({ state, path, whole, view, isStill });
  return (
    <TimedGame
      spec={STONKS}
      game={game}
      canLeave={canSell}
      claim={() => (canSell ? claimOf(state, shown.current) : null)}
      {...props}
    />
  );
}

/** Claims the multiplier that the player sees; nothing while an earlier sale is pending. */
function claimOf(state: LiveState<StonksRound>, multiplier: number | null): StonksCashOut | null {
  if (state.phase !== "playing" || state.isCashingOut || !multiplier) return null;
  const { betAmount, autoCashoutProfit, roundId } = state.round;
  return { betAmount, cashoutMultiplier: multiplier.toFixed(3), autoCashoutProfit, roundId };
}

function labelOf(state: LiveState<StonksRound>, form: StonksForm): string {
  if (state.phase === "playing") return `Sell Now ${worthAt(state.round, state.round.points.at(-1) ?? 1)}`;
  if (isOver(state)) return "Trade Again";
  return withAmount(state.phase === "starting" ? "Starting" : "Start Trading", form.amount);
}

function stageOf(state: LiveState<StonksRound>): StageText {
  const { phase } = state;
  if (!isOver(state)) {
    const caption =
      phase === "idle"
        ? "Sell before it crashes to zero"
        : phase === "starting"
          ? "Starting"
          : `Now worth ${worthAt(state.round, 1)}`;
    const chartLabel = phase === "idle" ? "The price over time, from 1.000×" : null;
    return { phase, multiplier: shownMultiplier(1), caption, tone: "plain", chartLabel };
  }
  const { round } = state;
  if (phase === "crashed")
    return {
      phase,
      multiplier: shownMultiplier(0),
      caption: `Crashed: lost ${formatWire(round.betAmount)}`,
      tone: "lost",
      chartLabel: "The price over time, up to the crash to zero",
    };
  const isProfit = centsOf(round.winAmount) > centsOf(round.betAmount);
  const caption = `Sold for ${formatWire(round.winAmount)}: ${resultText(round)}`;
  return {
    phase,
    multiplier: shownMultiplier(round.cashoutMultiplier ?? 1),
    caption,
    tone: isProfit ? "won" : "plain",
    chartLabel: `The price over time. Sold at ${shownMultiplier(round.cashoutMultiplier ?? 1)}`,
  };
}
