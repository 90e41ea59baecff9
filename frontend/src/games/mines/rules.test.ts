import { describe, expect, it } from "vitest";
import { recordOf } from "@/games/rounds/game-rounds";
import { hitRound, minesRound, paidRound, safeRound, settledMines } from "@/test-support/mines";
import { minesRounds } from "./rounds";
import {
  DEFAULT_MAX_PAYOUT_CENTS,
  ending,
  lastSafeCell,
  randomCell,
  refuseStart,
  revealedText,
  rungsOf,
  safeChance,
  settledFrom,
  startOf,
} from "./rules";

const limits = { balanceCents: 200_000, minimumCents: 10, maximumCents: 100_000 };
const form = { amount: "10.00", mines: 3 };

const words =
  (...of: number[]) =>
  () =>
    of.shift() ?? 0;

describe("validation of a round", () => {
  const cases: [string, string, string, string][] = [
    ["for nothing", "0", "Invalid Bet", "Bet amount must be greater than 0"],
    ["for no number", "ten", "Invalid Bet", "Bet amount must be greater than 0"],
    ["below the least", "0.09", "Invalid Bet", "Minimum allowed is $0.10"],
    ["above the balance first", "2000.01", "Insufficient Balance", "You don't have enough funds to place this bet"],
    ["above the limit", "1000.01", "Bet Exceeds Limit", "Maximum allowed is $1,000.00"],
  ];
  it.each(cases)("%s", (_, amount, title, description) =>
    expect(refuseStart({ ...form, amount }, limits)).toEqual({ title, description }),
  );

  it("accepts the limits", () => {
    for (const amount of ["0.10", "1000.00"]) expect(refuseStart({ ...form, amount }, limits)).toBeNull();
    expect(startOf({ amount: " 1.5", mines: 24 })).toEqual({ betAmount: "1.50", mines: 24 });
  });
});

it("offers no cell that could exceed the maximum payout", () => {
  // Computed by another implementation.
  for (const [bet = 0, mines = 0, last] of [
    [100_000, 3, 18],
    [100_000, 1, 24],
    [1000, 3, 22],
    [100_000, 12, 5],
    [1000, 12, 9],
    [10, 12, 12],
    [100_000, 24, 1],
    [10, 1, 24],
  ]) {
    expect(lastSafeCell(bet, mines, DEFAULT_MAX_PAYOUT_CENTS)).toBe(last);
  }
  // A fraction of a cent above the limit could round to a cent above it; the limit itself can be paid.
  expect(lastSafeCell(10, 3, 12)).toBe(1);
  expect(lastSafeCell(10, 3, 13)).toBe(2);
});

it("lists the multiplier and payout of each safe cell", () => {
  const rungs = rungsOf(form, DEFAULT_MAX_PAYOUT_CENTS);
  expect(rungs).toHaveLength(22);
  expect(rungs.slice(0, 2)).toEqual([
    { safeCells: 1, multiplier: "1.12×", short: "1.12×", payoutCents: 1125 },
    { safeCells: 2, multiplier: "1.28×", short: "1.28×", payoutCents: 1285 },
  ]);
  expect(rungs.at(-1)).toEqual({ safeCells: 22, multiplier: "2,277.00×", short: "2,277×", payoutCents: 2_277_000 });
  expect(rungsOf({ ...form, amount: "ten" }, DEFAULT_MAX_PAYOUT_CENTS)[0]?.payoutCents).toBeNull();
  expect([safeChance(3, 0), safeChance(3, 5), safeChance(24, 0)]).toEqual([0.88, 0.85, 0.04]);
});

it("picks every cell with equal probability, and none if there is none", () => {
  expect([0, 1, 2, 3].map((word) => randomCell([4, 8, 9], words(word)))).toEqual([4, 8, 9, 4]);
  // 2³² is one more than a multiple of three: without rejection the first cell would be more likely.
  expect(randomCell([4, 8, 9], words(2 ** 32 - 1, 2))).toBe(9);
  expect(randomCell([4, 8, 9], words(2 ** 32 - 2))).toBe(9);
  expect(randomCell([])).toBeNull();
  expect([4, 8, 9]).toContain(randomCell([4, 8, 9]));
});

describe("texts", () => {
  it("of an end", () => {
    expect(ending(paidRound(1))).toEqual({
      title: "Cashed Out!",
      description: "You won $11.25 at 1.12× (+$1.25)",
      outcome: "win (1.12x)",
      isWin: true,
    });
    expect(ending(hitRound(1))).toEqual({
      title: "You Lost",
      description: "Cell 6 was a mine. You lost $10.00",
      outcome: "loss",
      isWin: false,
    });
    const all = minesRound(1, {
      result: "cashed_out",
      mines: 24,
      revealed: [3],
      winAmount: "247.50",
      minePositions: [],
    });
    expect(ending(all)).toMatchObject({ title: "All safe cells found!", outcome: "win (24.75x)" });
    const large = { ...all, mines: 13, revealed: Array.from({ length: 12 }, (_, cell) => cell) };
    expect(ending(large).outcome).toBe("win (5148297.00x)");
  });

  it("of a safe cell", () => {
    expect(revealedText(safeRound(1), 7)).toBe("Cell 8 is safe. 1 safe cell, 1.12×. A cash-out pays $11.25.");
  });

  it("of a history entry", () => {
    const of = { id: 1, gameType: "mines" as const, betAmount: "10.00" };
    const win = recordOf({ ...of, winAmount: "17.12", outcome: "win (1.71x)", mines: 3, revealedCells: 4 });
    const loss = recordOf({ ...of, winAmount: "0.00", outcome: "loss", mines: 1, revealedCells: 1 });
    expect([win, loss].map((entry) => minesRounds.resultText(entry))).toEqual(["1.71×", "Mine"]);
    expect([win, loss].map((entry) => minesRounds.detailText(entry))).toEqual([
      "3 mines, 4 cells revealed",
      "1 mine, 1 cell revealed",
    ]);
    expect(minesRounds.columns.terms.cell(win)).toBe(3);
  });
});

it("reconstructs a round that ended elsewhere", () => {
  const details = { mines: 3, revealed: [7, 8], minePositions: [14, 1, 5], multiplier: 1.285, hitCell: null };
  expect(settledFrom(safeRound(4), settledMines(4, details, { winAmount: "12.85" }))).toMatchObject({
    result: "cashed_out",
    revealed: [7, 8],
    winAmount: "12.85",
    nextMultiplier: null,
  });
  expect(settledFrom(safeRound(4), settledMines(4, { ...details, hitCell: 5 }))).toMatchObject({
    result: "crashed",
    hitCell: 5,
    winAmount: "0.00",
  });
});
