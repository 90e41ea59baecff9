import { describe, expect, it } from "vitest";
import { FAIR_CENTS, payoutCents } from "@/lib/fairness/cents";
import { drawnCells, type MinesClaim, verifyMines } from "./fairness";
import { CELLS, hundredthsOf, minesPayout, MAX_MINES, multiplierOf, shownMultiplier } from "./multiplier";

const SEED = "0123456789abcdef".repeat(4);
const HASH = "a8ae6e6ee929abea3afcfc5258c8ccd6f85273e0d4626d26c7279f3250f77c8e";
const CLIENT = "glasshouse";
const OTHER = "f".repeat(64);

// Computed by another implementation, in Python.
const DRAWS: [string, string, number, number[]][] = [
  [SEED, CLIENT, 0, [14, 1, 5, 8, 6, 7, 9, 23, 4, 21, 17, 16, 24, 0, 19, 15, 11, 10, 2, 22, 20, 13, 3, 18]],
  [SEED, CLIENT, 1, [2, 13, 7, 0, 23, 19, 3, 4, 16, 14, 6, 5, 21, 20, 11, 9, 17, 1, 12, 22, 8, 24, 15, 10]],
  [SEED, CLIENT, 41, [11, 15, 24, 9, 5, 14, 19, 3, 21, 8, 18, 22, 0, 12, 17, 20, 13, 7, 1, 16, 4, 23, 10, 2]],
  [OTHER, "lamp-7_x", 7, [6, 7, 9, 10, 0, 12, 16, 15, 5, 22, 3, 20, 1, 19, 2, 17, 14, 11, 23, 4, 21, 24, 18, 8]],
];
const HUNDREDTHS = [
  [1, 1, 103],
  [1, 24, 2475],
  [3, 1, 112],
  [3, 4, 171],
  [3, 22, 227_700],
  [5, 5, 339],
  [10, 4, 917],
  [12, 12, 39_602_284],
  [12, 13, 514_829_700],
  [13, 12, 514_829_700],
  [24, 1, 2475],
  [20, 5, 5_259_870],
  [2, 23, 29_700],
] as const;
const PAYOUTS = [
  [0, 1000, 3, 4, 1713],
  [0, 10, 3, 1, 12],
  [1, 10, 3, 1, 12],
  [2, 10, 3, 1, 11],
  [3, 1999, 5, 3, 3993],
  [4, 777, 7, 2, 1509],
  [5, 100_000, 3, 11, 625_550],
  [6, 33, 24, 1, 817],
] as const;

describe("mines", () => {
  it.each(DRAWS)("are drawn like in another implementation: %s %s %i", async (serverSeed, clientSeed, nonce, cells) => {
    const drawn = await drawnCells({ serverSeed, clientSeed, nonce });
    expect(drawn).toEqual(cells);
    // Fewer mines are a prefix of more.
    expect(await drawnCells({ serverSeed, clientSeed, nonce }, 3)).toEqual(cells.slice(0, 3));
  });

  it("have the multipliers of another implementation, rounded down", () => {
    for (const [mines, safeCells, hundredths] of HUNDREDTHS) expect(hundredthsOf(mines, safeCells)).toBe(hundredths);
    expect(shownMultiplier(3, 4)).toBe("1.71×");
    expect(shownMultiplier(12, 13)).toBe("5,148,297.00×");
  });

  it("pay what another implementation pays, to the cent", async () => {
    for (const [nonce, bet, mines, safeCells, cents] of PAYOUTS) {
      expect((await payoutCents(minesPayout(bet, mines, safeCells), FAIR_CENTS, SEED, CLIENT, nonce)).cents).toBe(
        cents,
      );
    }
  });

  it("return exactly 99 % for every number of mines and safe cells", () => {
    for (let mines = 1; mines <= MAX_MINES; mines += 1) {
      // The chance of k safe cells is the product of the chances of each.
      let [good, all] = [1n, 1n];
      for (let safeCells = 1; safeCells <= CELLS - mines; safeCells += 1) {
        good *= BigInt(CELLS - mines - safeCells + 1);
        all *= BigInt(CELLS - safeCells + 1);
        const { numerator, divisor } = multiplierOf(mines, safeCells);
        expect(good * BigInt(numerator) * 100n).toBe(99n * all * BigInt(divisor));
      }
    }
  });
});

describe("verification", () => {
  const won: MinesClaim = {
    serverSeed: SEED,
    serverSeedHash: HASH,
    clientSeed: CLIENT,
    nonce: 0,
    rules: FAIR_CENTS,
    betCents: 1000,
    winCents: 1713,
    mines: 3,
    revealed: [0, 24, 7, 12],
    minePositions: [1, 5, 14],
    multiplier: 1.712_030_075,
    hitCell: null,
  };
  const lost: MinesClaim = { ...won, revealed: [0, 24, 5], hitCell: 5, winCents: 0, multiplier: null };

  it("passes for a true claim, won or lost", async () => {
    expect((await verifyMines(won)).holds).toBe(true);
    expect((await verifyMines({ ...won, multiplier: 1.71 })).holds).toBe(true);
    expect((await verifyMines(lost)).holds).toBe(true);
    // Whether or not the mine is among the revealed cells.
    expect((await verifyMines({ ...lost, revealed: [0, 24] })).holds).toBe(true);
    expect((await verifyMines(won)).mineCells).toEqual([14, 1, 5]);
  });

  const falseClaims: [string, MinesClaim][] = [
    ["another seed", { ...won, serverSeed: SEED.replace("0", "1") }],
    ["another hash", { ...won, serverSeedHash: "0".repeat(64) }],
    ["another nonce", { ...won, nonce: 1 }],
    ["another client seed", { ...won, clientSeed: "glasshouze" }],
    ["another number of mines", { ...won, mines: 4 }],
    ["another place of a mine", { ...won, minePositions: [1, 5, 15] }],
    ["a mine that is not told", { ...won, minePositions: [1, 5] }],
    ["a safe cell that is a mine", { ...won, revealed: [0, 24, 7, 5] }],
    ["a cell that is revealed twice", { ...won, revealed: [0, 24, 7, 7] }],
    ["another multiplier", { ...won, multiplier: 1.72 }],
    ["no multiplier", { ...won, multiplier: null }],
    ["another payout", { ...won, winCents: 1712 }],
    ["a mine that is none", { ...lost, hitCell: 6, revealed: [0, 24, 6] }],
    ["a payout after a mine", { ...lost, winCents: 1285 }],
  ];
  it.each(falseClaims)("fails for %s", async (_, claim) => {
    expect((await verifyMines(claim)).holds).toBe(false);
  });
});
