import type { TimedLimits } from "@/games/timed/timed-game-spec";
import { type Refusal, refuseAmount, stakeOf } from "@/lib/bet-rules";
import { extraCentChance } from "@/lib/fairness/exact-payout";
import { centsOf, formatChange, formatDollars, formatWire, parseAmount, parseCents, wireAmount } from "@/lib/money";
import * as refusals from "@/lib/refusals";
import type { CrashRound, CrashStart } from "./api";
import { type Curve, MAX_HUNDREDTHS, MIN_HUNDREDTHS } from "./curve";
import { crashPayout, crashPayoutCents } from "./payout";

export type CrashForm = { amount: string; auto: string; curve: Curve };

/** Used until the server's settings are loaded. */
export const DEFAULT_FORM: CrashForm = { amount: "10.00", auto: "2.00", curve: "linear" };
export const DEFAULT_LIMITS = { minimumCents: 100, maximumCents: 100_000 };

const INVALID_AUTO = refusals.invalidAutoCashout.text;

/** The typed multiplier in hundredths: null for none, NaN if it is invalid. */
export function parseAuto(text: string): number | null {
  if (text.trim() === "") return null;
  // At most two decimals, as with cents.
  const hundredths = parseAmount(text.trim().replace(/[x×]$/, ""));
  return hundredths === null || hundredths <= MIN_HUNDREDTHS || hundredths > MAX_HUNDREDTHS ? Number.NaN : hundredths;
}

export type CrashRefusals = { amount: Refusal | null; auto: Refusal | null };

/** Validates each field; null for valid ones. */
export const checkForm = (form: CrashForm, limits: TimedLimits): CrashRefusals => ({
  amount: refuseAmount(form.amount, limits, limits.minimumCents),
  auto: Number.isNaN(parseAuto(form.auto))
    ? {
        title: INVALID_AUTO,
        description: "It must be a number greater than 1 and at most 100, with at most two decimals, or empty for none",
      }
    : null,
});

/** Why a round cannot be started, in the server's order; null if it can. */
export function refuseStart(form: CrashForm, limits: TimedLimits): Refusal | null {
  const { amount, auto } = checkForm(form, limits);
  return amount ?? auto;
}

/** Autobet cannot press Cash out: the automatic cash-out does. */
export const refuseAutobet = (form: CrashForm): Refusal | null =>
  parseAuto(form.auto) === null
    ? {
        title: "Auto cash-out needed",
        description: "Autobet needs an auto cash-out multiplier: it says when a round is cashed out",
      }
    : null;

export function startOf(form: CrashForm): CrashStart {
  const auto = parseAuto(form.auto);
  return {
    betAmount: wireAmount(parseCents(form.amount) ?? 0),
    autoCashoutMultiplier: auto === null ? null : wireAmount(auto),
    curve: form.curve,
  };
}

/** The form that would start this round, shown while it is in play. */
export function formOf(round: CrashRound): CrashForm {
  const auto = round.autoCashoutMultiplier;
  return { amount: round.betAmount, auto: auto === null ? "" : auto.toFixed(2), curve: round.curve };
}

/** The profit at the automatic cash-out; null without one. */
export function profitCents(form: CrashForm): number | null {
  const auto = parseAuto(form.auto);
  const stake = stakeOf(form.amount);
  return auto === null || Number.isNaN(auto) || stake === null ? null : crashPayoutCents(stake, auto) - stake;
}

/** The chance that rounding adds a cent to the automatic cash-out. */
export function extraCent(form: CrashForm): number {
  const auto = parseAuto(form.auto);
  return auto === null || Number.isNaN(auto) ? 0 : extraCentChance(crashPayout(stakeOf(form.amount) ?? 0, auto));
}

export const hundredthsOf = (multiplier: number): number => Math.round(multiplier * 100);
export const shownMultiplier = (hundredths: number): string => `${(hundredths / 100).toFixed(2)}×`;

/** "$24.80": what a cash-out would pay now. */
export function payoutAt(round: CrashRound, hundredths: number): string {
  return formatDollars(crashPayoutCents(centsOf(round.betAmount), hundredths));
}

/** The end of a round in words. */
export function ending(round: CrashRound): { title: string; description: string; outcome: string; isWin: boolean } {
  if (round.result === "cashed_out" && round.cashoutMultiplier !== null) {
    const at = round.cashoutMultiplier.toFixed(2);
    const profit = centsOf(round.winAmount) - centsOf(round.betAmount);
    return {
      title: "Cashed Out!",
      description: `You won ${formatWire(round.winAmount)} at ${at}× (${formatChange(profit)})`,
      outcome: `win (${at}x)`,
      isWin: true,
    };
  }
  return {
    title: "Crashed!",
    description: `Crashed at ${(round.crashPoint ?? 1).toFixed(2)}×. You lost ${formatWire(round.betAmount)}`,
    outcome: "loss",
    isWin: false,
  };
}
