import type { GameProps } from "@/games/definition";
import { isOver, type LiveState } from "@/games/timed/round-state";
import { TimedGame, useTimedGame } from "@/games/timed/timed-game";
import type { StageText, TimedGameSpec } from "@/games/timed/timed-game-spec";
import { withAmount } from "@/lib/bet-rules";
import { centsOf, formatChange, formatWire } from "@/lib/money";
import {
  type CrashCashOut,
  type CrashRound,
  type CrashStart,
  cashOutCrash,
  crashDetailsOf,
  fetchCrashSettings,
  startCrash,
} from "./api";
import { CrashBetPanel } from "./crash-bet-panel";
import { crashRounds } from "./rounds";
import {
  checkForm,
  type CrashForm,
  type CrashRefusals,
  DEFAULT_FORM,
  DEFAULT_LIMITS,
  ending,
  formOf,
  hundredthsOf,
  payoutAt,
  refuseAutobet,
  refuseStart,
  shownMultiplier,
  startOf,
} from "./rules";
import { limitOf, type Shown, useCrashFrames } from "./use-crash-frames";

const CRASH: TimedGameSpec<CrashRound, CrashForm, CrashStart, CrashCashOut, CrashRefusals> = {
  calls: {
    game: "crash",
    openOf: ({ crash }) => crash,
    start: startCrash,
    cashOut: cashOutCrash,
    settledFrom(known, round) {
      const crash = crashDetailsOf(round);
      if (!crash) return null;
      const { crashPoint, cashoutMultiplier } = crash;
      return {
        ...known,
        result: cashoutMultiplier === null ? "crashed" : "cashed_out",
        crashPoint,
        cashoutMultiplier,
        winAmount: round.winAmount,
      };
    },
  },
  rounds: crashRounds,
  recordFields: ({ crashPoint, cashoutMultiplier, autoCashoutMultiplier }) => ({
    ...(crashPoint !== null && { crashPoint }),
    ...(cashoutMultiplier !== null && { cashoutMultiplier }),
    ...(autoCashoutMultiplier !== null && { autoCashoutMultiplier }),
  }),
  defaultForm: DEFAULT_FORM,
  defaultLimits: DEFAULT_LIMITS,
  async fetchSettings() {
    const { betAmount, autoCashoutMultiplier, curve, minBet, maxBet } = await fetchCrashSettings();
    return { form: { amount: betAmount, auto: autoCashoutMultiplier.toFixed(2), curve }, minBet, maxBet };
  },
  checkForm,
  noRefusals: { amount: null, auto: null },
  refuseStart,
  refuseAutobet,
  startOf,
  formOf,
  ending,
  cashOutWords: "Cash out",
  lateTitle: "Crashed!",
  labelOf,
  stageOf,
  Panel: CrashBetPanel,
};

export function CrashGame(props: GameProps) {
  const game = useTimedGame(CRASH);
  const { state, shownForm, view } = game;
  const shown = useCrashFrames(state, shownForm.curve, view);
  return <TimedGame spec={CRASH} game={game} canLeave claim={() => claimOf(state, shown.current)} {...props} />;
}

/** Claims the multiplier that the player sees; nothing while the automatic cash-out is pending. */
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

function stageOf(state: LiveState<CrashRound>): StageText {
  const { phase } = state;
  if (!isOver(state)) {
    const caption =
      phase === "idle"
        ? "Place a bet; cash out before it crashes"
        : phase === "starting"
          ? "Starting"
          : `Payout now ${payoutAt(state.round, 100)}`;
    const chartLabel = phase === "idle" ? "The multiplier over time, from 1.00×" : null;
    return { phase, multiplier: "1.00×", caption, tone: "plain", chartLabel };
  }
  const { round } = state;
  const crashPoint = round.crashPoint === null ? null : shownMultiplier(hundredthsOf(round.crashPoint));
  if (phase === "crashed") {
    return {
      phase,
      multiplier: crashPoint ?? "1.00×",
      chartLabel: `The multiplier over time, up to the crash at ${crashPoint ?? "1.00×"}`,
      caption: `Crashed: lost ${formatWire(round.betAmount)}`,
      tone: "lost",
    };
  }
  const profit = centsOf(round.winAmount) - centsOf(round.betAmount);
  const left = `Cashed out at ${shownMultiplier(hundredthsOf(round.cashoutMultiplier ?? 1))}`;
  return {
    phase,
    multiplier: formatChange(profit),
    caption: crashPoint === null ? left : `${left}; it crashed at ${crashPoint}`,
    tone: profit > 0 ? "won" : "plain",
    chartLabel: `The multiplier over time. ${left}${crashPoint === null ? "" : `, crashed at ${crashPoint}`}`,
  };
}
