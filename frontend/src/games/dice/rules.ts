import { type Limits, type Refusal, refuseAmount, stakeOf } from "@/lib/bet-rules";
import { extraCentChance } from "@/lib/fairness/exact-payout";
import { parseCents, parseInteger, wireAmount } from "@/lib/money";
import * as refusals from "@/lib/refusals";
import type { DiceBetType, DicePlayRequest } from "./api";
import { dicePayout, dicePayoutCents, winningNumbers } from "./payout";

export type { Limits, Refusal } from "@/lib/bet-rules";
/** The text of each field, valid or not. */
export type DiceForm = { amount: string; target: string; side: DiceBetType };

export const MIN_TARGET = 1;
export const MAX_TARGET = 98;
/** A win pays 99 divided by the winning numbers: with 99 of them it returns only the stake. */
const MIN_NUMBERS_WITHOUT_PROFIT = 99;

/** The target in a text; null if it is invalid. */
export function parseTarget(text: string): number | null {
  const target = parseInteger(text);
  return target !== null && target >= MIN_TARGET && target <= MAX_TARGET ? target : null;
}

/** Why a target cannot be bet on; null if it can. */
export function refuseTarget(text: string, side: DiceBetType): Refusal | null {
  const target = parseTarget(text);
  if (target === null) return { title: "Invalid Target", description: refusals.invalidTarget.text };
  if (winningNumbers(target, side) < MIN_NUMBERS_WITHOUT_PROFIT) return null;
  return {
    title: "Invalid Target",
    description: "This bet cannot make a profit: at best it returns the stake. Choose a target from 2",
  };
}

/** Validates each field; null for valid ones. */
export const checkForm = (form: DiceForm, limits: Limits): { amount: Refusal | null; target: Refusal | null } => ({
  amount: refuseAmount(form.amount, limits),
  target: refuseTarget(form.target, form.side),
});

/** Why a bet cannot be placed, in the server's order; null if it can. */
export function refuseBet(form: DiceForm, limits: Limits): Refusal | null {
  const { amount, target } = checkForm(form, limits);
  return amount ?? target;
}

/** The request for a valid bet. */
export const requestOf = (form: DiceForm): DicePlayRequest => ({
  betAmount: wireAmount(parseCents(form.amount) ?? 0),
  targetNumber: parseTarget(form.target) ?? 0,
  betType: form.side,
});

/** The odds of a target; null if it is invalid. */
export function odds({ target: text, side }: DiceForm): { chance: number; multiplier: string } | null {
  const target = parseTarget(text);
  if (target === null) return null;
  const winning = winningNumbers(target, side);
  // For display only, rounded down to four decimals.
  return {
    chance: winning / 100,
    multiplier: (Math.floor(990_000 / winning) / 10_000).toFixed(4).replace(/0{1,2}$/, ""),
  };
}

/** The profit of a win, for display before the bet; the server computes the payout. */
export function profitCents({ amount, target: text, side }: DiceForm): number | null {
  const target = parseTarget(text);
  const stake = stakeOf(amount);
  return target === null || stake === null ? null : dicePayoutCents(stake, target, side) - stake;
}

/** The chance that rounding adds a cent to a win. */
export function extraCent({ amount, target: text, side }: DiceForm): number {
  const target = parseTarget(text);
  const stake = stakeOf(amount);
  return target === null || stake === null ? 0 : extraCentChance(dicePayout(stake, target, side));
}
