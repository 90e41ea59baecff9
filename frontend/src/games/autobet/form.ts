import { parseAmount, parseCents, parseInteger } from "@/lib/money";
import type { Plan, StakeChange } from "./rules";

/** What the stake does after a win or a loss, as chosen and typed. */
export type ChangeForm = { kind: StakeChange["kind"]; percent: string };
/** The text of each field, valid or not; empty for no limit. */
export type AutobetForm = {
  rounds: string;
  onWin: ChangeForm;
  onLoss: ChangeForm;
  stopOnProfit: string;
  stopOnLoss: string;
  stopBelowBalance: string;
  stopAboveBalance: string;
};
type Field = keyof AutobetForm;
export type AutobetErrors = Partial<Record<Field, string>>;

/** What the text fields are called. */
export const LABELS: Readonly<Record<Field, string>> = {
  rounds: "Number of rounds",
  onWin: "Percent on win",
  onLoss: "Percent on loss",
  stopOnProfit: "Stop at profit",
  stopOnLoss: "Stop at loss",
  stopBelowBalance: "Balance below",
  stopAboveBalance: "Balance above",
};

const MAX_ROUNDS = 1_000_000;
const MAX_PERCENT_HUNDREDTHS = 100_000;
const AMOUNTS = ["stopOnProfit", "stopOnLoss", "stopBelowBalance", "stopAboveBalance"] as const;

const INVALID_ROUNDS = "Enter a whole number from 1 to 1,000,000, or nothing for no limit";
const INVALID_PERCENT = "Enter a percentage above 0 and at most 1,000, with at most two decimals";
const INVALID_AMOUNT = "Enter dollars above 0, with at most two decimals, or nothing for no limit";

const isEmpty = (text: string): boolean => text.trim() === "";

function changeOf({ kind, percent }: ChangeForm): StakeChange | null {
  if (kind !== "increase") return { kind };
  // Hundredths of a percent have two decimals, like cents.
  const percentHundredths = parseAmount(percent);
  if (percentHundredths === null || percentHundredths <= 0 || percentHundredths > MAX_PERCENT_HUNDREDTHS) return null;
  return { kind, percentHundredths };
}

function roundsOf(text: string): number | null {
  const rounds = parseInteger(text);
  return rounds === null || rounds < 1 || rounds > MAX_ROUNDS ? null : rounds;
}

/** The problem of each field; empty if there is none. */
export function checkForm(form: AutobetForm): AutobetErrors {
  const errors: AutobetErrors = {};
  if (!isEmpty(form.rounds) && roundsOf(form.rounds) === null) errors.rounds = INVALID_ROUNDS;
  if (changeOf(form.onWin) === null) errors.onWin = INVALID_PERCENT;
  if (changeOf(form.onLoss) === null) errors.onLoss = INVALID_PERCENT;
  for (const name of AMOUNTS)
    if (!isEmpty(form[name]) && !((parseCents(form[name]) ?? 0) > 0)) errors[name] = INVALID_AMOUNT;
  return errors;
}

/** The first field with a problem, by its name; null if there is none. */
export function firstProblem(form: AutobetForm): { title: string; description: string } | null {
  const errors = checkForm(form);
  for (const [name, title] of Object.entries(LABELS) as [Field, string][]) {
    const description = errors[name];
    if (description !== undefined) return { title, description };
  }
  return null;
}

/** The plan that the form describes; null if a field is invalid. */
export function planOf(form: AutobetForm, baseStakeCents: number): Plan | null {
  const onWin = changeOf(form.onWin);
  const onLoss = changeOf(form.onLoss);
  if (onWin === null || onLoss === null || Object.keys(checkForm(form)).length > 0) return null;
  const limitOf = (text: string) => (isEmpty(text) ? null : parseCents(text));
  return {
    baseStakeCents,
    rounds: isEmpty(form.rounds) ? null : roundsOf(form.rounds),
    onWin,
    onLoss,
    stopOnProfitCents: limitOf(form.stopOnProfit),
    stopOnLossCents: limitOf(form.stopOnLoss),
    stopBelowBalanceCents: limitOf(form.stopBelowBalance),
    stopAboveBalanceCents: limitOf(form.stopAboveBalance),
  };
}
