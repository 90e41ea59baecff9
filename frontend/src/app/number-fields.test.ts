import { describe, expect, it } from "vitest";
import { problemsOf } from "@/features/fairness/manual-form";
import { refusalOf as refuseDeposit } from "@/features/wallet/deposit-rules";
import { refusalOf as refuseWithdrawal } from "@/features/wallet/withdraw-rules";
import { checkForm as checkCrash, DEFAULT_FORM as CRASH, profitCents as crashProfit } from "@/games/crash/rules";
import { checkForm as checkDice, odds, profitCents as diceProfit } from "@/games/dice/rules";
import { refuseDeal } from "@/games/heads-up/rules";
import { checkForm as checkStonks, DEFAULT_FORM as STONKS, profitCents as stonksProfit } from "@/games/stonks/rules";

// Every numeric field with every kind of invalid input: there must be a message, and no figure may be derived from it.

const TEXTS = ["", " ", "50.5", "1e2", "-5", "1,50", "abc", ".", "NaN", "0x10", "∞", "1.234", "9".repeat(30)];
const limits = { balanceCents: 4000, minimumCents: 100, maximumCents: 100_000 };
const isFigure = (value: number | null): boolean => value === null || Number.isSafeInteger(value);
/** Texts that a field accepts unchanged. */
const TAKEN: Record<string, string[]> = {
  crashAuto: ["", " ", "50.5"],
  stonksTarget: ["", " ", "50.5"],
  deposit: ["50.5"],
};

const dice = (change: { amount?: string; target?: string }) => ({
  amount: "10.00",
  target: "50",
  side: "over" as const,
  ...change,
});
const FIELDS: Record<string, (text: string) => { refusal: string | null; figures: (number | null)[] }> = {
  diceBet: (amount) => ({
    refusal: checkDice(dice({ amount }), limits).amount?.description ?? null,
    figures: [diceProfit(dice({ amount }))],
  }),
  diceTarget: (target) => ({
    refusal: checkDice(dice({ target }), limits).target?.description ?? null,
    figures: [diceProfit(dice({ target })), odds(dice({ target }))?.chance ?? null],
  }),
  crashBet: (amount) => ({
    refusal: checkCrash({ ...CRASH, amount }, limits).amount?.description ?? null,
    figures: [crashProfit({ ...CRASH, amount })],
  }),
  crashAuto: (auto) => ({
    refusal: checkCrash({ ...CRASH, auto }, limits).auto?.description ?? null,
    figures: [crashProfit({ ...CRASH, auto })],
  }),
  stonksBet: (amount) => ({
    refusal: checkStonks({ ...STONKS, amount }, limits).amount?.description ?? null,
    figures: [stonksProfit({ ...STONKS, amount })],
  }),
  stonksTarget: (target) => ({
    refusal: checkStonks({ ...STONKS, target }, limits).target?.description ?? null,
    figures: [stonksProfit({ ...STONKS, target })],
  }),
  headsUpBet: (amount) => ({ refusal: refuseDeal(amount, limits)?.description ?? null, figures: [] }),
  nonce: (nonce) => ({ refusal: problemsOf("seed", "seed", nonce).nonce ?? null, figures: [] }),
  deposit: (amount) => ({ refusal: refuseDeposit({ amount, currency: "btc" })?.text ?? null, figures: [] }),
  withdrawal: (amount) => ({
    refusal:
      refuseWithdrawal({ amount, currency: "btc", walletAddress: "x" }, { balanceCents: 4000, availableCents: 4000 })
        ?.text ?? null,
    figures: [],
  }),
};

describe.each(Object.entries(FIELDS))("%s", (name, check) => {
  it.each(TEXTS)("%j gets a message", (text) => {
    const { refusal, figures } = check(text);
    if (TAKEN[name]?.includes(text)) expect(refusal).toBeNull();
    else expect(refusal).toEqual(expect.stringMatching(/\w/));
    expect(figures.filter((figure) => !isFigure(figure))).toEqual([]);
  });
});
