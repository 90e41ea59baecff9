import type { TimedLimits } from "@/games/timed/timed-game-spec";
import { type Refusal, refuseAmount, stakeOf } from "@/lib/bet-rules";
import { centsOf, formatChange, formatDollars, formatWire, parseAmount, parseCents, wireAmount } from "@/lib/money";
import * as refusals from "@/lib/refusals";
import type { StonksRound, StonksStart } from "./api";
import { stonksPayoutCents } from "./payout";

export type StonksForm = { amount: string; target: string };

/** Used until the server's settings are loaded. */
export const DEFAULT_FORM: StonksForm = { amount: "10.00", target: "" };
export const DEFAULT_LIMITS = { minimumCents: 1, maximumCents: 100_000 };

const isSet = (text: string): boolean => text.trim() !== "";

export type StonksRefusals = { amount: Refusal | null; target: Refusal | null };

/** Validates each field; null for valid ones. */
export function checkForm(form: StonksForm, limits: TimedLimits): StonksRefusals {
  // An amount too large to represent cannot be sent either.
  const target = parseCents(form.target);
  const isTargetRefused = isSet(form.target) && (target === null || target <= (parseAmount(form.amount) ?? 0));
  return {
    amount: refuseAmount(form.amount, limits, limits.minimumCents),
    target: isTargetRefused ? { title: "Invalid Auto-Sell Amount", description: refusals.invalidAutoSell.text } : null,
  };
}

/** Why a round cannot be started, in the server's order; null if it can. */
export function refuseStart(form: StonksForm, limits: TimedLimits): Refusal | null {
  const { amount, target } = checkForm(form, limits);
  return amount ?? target;
}

/** Whether the player decides when to sell. */
export const isByHand = (form: StonksForm): boolean => !isSet(form.target) && stakeOf(form.amount) !== null;

/** Autobet cannot press Sell Now: the auto-sell target does. */
export const refuseAutobet = (form: StonksForm): Refusal | null =>
  isSet(form.target)
    ? null
    : {
        title: "Auto-sell needed",
        description: "Autobet needs an auto-sell profit target: it says when the market is sold",
      };

export function startOf(form: StonksForm): StonksStart {
  return {
    betAmount: wireAmount(parseCents(form.amount) ?? 0),
    autoCashoutProfit: isSet(form.target) ? wireAmount(parseCents(form.target) ?? 0) : null,
  };
}

/** The form that would start this round, shown while it is in play. */
export const formOf = (round: StonksRound): StonksForm => ({
  amount: round.betAmount,
  target: round.autoCashoutProfit ?? "",
});

/** The profit at the auto-sell amount; null without one. */
export function profitCents(form: StonksForm): number | null {
  const target = parseCents(form.target);
  const stake = stakeOf(form.amount);
  return target === null || stake === null || target <= stake ? null : target - stake;
}

export const thousandthsOf = (multiplier: number): number => Math.round(multiplier * 1000);
export const shownMultiplier = (multiplier: number): string => `${multiplier.toFixed(3)}×`;

/** "$12.34": what a sale at this point would pay. */
export function worthAt(round: StonksRound, multiplier: number): string {
  return formatDollars(stonksPayoutCents(centsOf(round.betAmount), thousandthsOf(multiplier)));
}

/** The profit or loss of a sale at this point, with its sign. */
export function openProfit(round: StonksRound, multiplier: number): { text: string; tone: "win" | "loss" | "none" } {
  const stake = centsOf(round.betAmount);
  const profit = stonksPayoutCents(stake, thousandthsOf(multiplier)) - stake;
  return { text: formatChange(profit), tone: profit > 0 ? "win" : profit < 0 ? "loss" : "none" };
}

/** The profit or loss of a sale, with its sign. */
export function resultText(round: StonksRound): string {
  return formatChange(centsOf(round.winAmount) - centsOf(round.betAmount));
}

/** The end of a round in words. */
export function ending(round: StonksRound): { title: string; description: string; outcome: string; isWin: boolean } {
  if (round.result === "cashed_out" && round.cashoutMultiplier !== null) {
    const isWin = centsOf(round.winAmount) >= centsOf(round.betAmount);
    // As in the history: two decimals, rounded down.
    const at = (Math.floor(thousandthsOf(round.cashoutMultiplier) / 10) / 100).toFixed(2);
    return {
      title: "Sold!",
      description: `Sold at ${shownMultiplier(round.cashoutMultiplier)} for ${formatWire(round.winAmount)} (${resultText(round)})`,
      outcome: `${isWin ? "win" : "loss"} (${at}x)`,
      isWin,
    };
  }
  return {
    title: "Stonks Crashed!",
    description: `The market crashed to zero. You lost ${formatWire(round.betAmount)}`,
    outcome: "loss",
    isWin: false,
  };
}
