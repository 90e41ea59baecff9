import { describe, expect, it } from "vitest";
import { crashPoint, verifyCrash } from "@/games/crash/fairness";
import { type DiceClaim, diceRoll, dicePayout, verifyDice } from "@/games/dice/fairness";
import { stonksPath, verifyStonks } from "@/games/stonks/fairness";
import {
  type ExactPayout,
  exactPayout,
  explainRounding,
  extraCentChance,
  FAIR_CENTS,
  isKnownRules,
  NOTHING,
  payoutCents,
  ROUNDED_DOWN,
  roundedBy,
} from "@/lib/fairness/cents";
import { centWord, sha256Hex } from "@/lib/fairness/stream";
import vectors from "../../../crates/games/tests/vectors/cents.json";

const SEED = "0123456789abcdef".repeat(4);
const CLIENT = "glasshouse";

const check = (payout: ExactPayout, word: number, cents: number) => expect(roundedBy(payout, word)).toBe(cents);

describe("the word for the last cent", () => {
  it("matches another implementation", async () => {
    expect(vectors.words.rows.length).toBeGreaterThan(14);
    for (const [serverSeed, clientSeed, nonce, word] of vectors.words.rows) {
      expect(await centWord(String(serverSeed), String(clientSeed), Number(nonce))).toBe(word);
    }
  });

  it("rounds like another implementation", async () => {
    const { server_seed, client_seed, rows } = vectors.payouts;
    for (const [nonce = 0, bet = 0, numerator = 0, divisor = 1, expected] of rows) {
      const payout = exactPayout(bet, numerator, divisor);
      expect((await payoutCents(payout, FAIR_CENTS, server_seed, client_seed, nonce)).cents).toBe(expected);
      expect(await payoutCents(payout, ROUNDED_DOWN, server_seed, client_seed, nonce)).toEqual({
        cents: payout.cents,
        word: null,
      });
    }
  });

  it("adds a cent up to the boundary and not beyond", () => {
    const fiftieths = dicePayout(1, 50, "over");
    expect(fiftieths).toEqual({ cents: 1, remainder: 49, divisor: 50 });
    check(fiftieths, 0, 2);
    check(fiftieths, 4_209_067_950, 2);
    check(fiftieths, 4_209_067_951, 1);
    check(fiftieths, 2 ** 32 - 1, 1);
    const half = dicePayout(1, 66, "under");
    check(half, 2 ** 31 - 1, 2);
    check(half, 2 ** 31, 1);
    const ninetyEighth = dicePayout(1, 98, "under");
    check(ninetyEighth, 43_826_196, 2);
    check(ninetyEighth, 43_826_197, 1);
    for (const word of [0, 1, 2 ** 32 - 1]) {
      check(dicePayout(1000, 50, "over"), word, 1980);
      check(NOTHING, word, 0);
    }
  });

  it("is not drawn for a whole payout", async () => {
    expect(await payoutCents(exactPayout(1000, 99, 50), FAIR_CENTS, SEED, CLIENT, 0)).toEqual({
      cents: 1980,
      word: null,
    });
  });
});

it("pays 99 % of every bet on average, over all words", () => {
  for (const cents of [1, 2, 3, 7, 99]) {
    for (let target = 1; target <= 98; target += 1) {
      const payout = dicePayout(cents, target, "over");
      const { remainder, divisor } = payout;
      // The lowest ⌈r × 2³² / d⌉ words add a cent.
      const count = Number(((BigInt(remainder) << 32n) + BigInt(divisor) - 1n) / BigInt(divisor));
      if (remainder > 0) expect(roundedBy(payout, count - 1)).toBe(payout.cents + 1);
      expect(roundedBy(payout, count)).toBe(payout.cents);
      expect(payout.cents * divisor + remainder).toBe(99 * cents);
    }
  }
});

it("explains the rounding and its result", () => {
  expect(extraCentChance(dicePayout(1, 50, "over"))).toBe(0.98);
  expect(extraCentChance(dicePayout(1000, 50, "over"))).toBe(0);
  const half = exactPayout(1, 3, 2);
  expect(explainRounding(half, { cents: 2, word: 7 })).toBe(
    "1/2 of a cent is left over. The word of “cent”, 7, times 2 is below 1 × 2³²: one cent is added.",
  );
  expect(explainRounding(half, { cents: 1, word: 2 ** 31 })).toContain("not below 1 × 2³²: nothing is added.");
  expect(explainRounding(half, { cents: 1, word: null })).toBe("");
  expect([0, 1, 2, 3].map(isKnownRules)).toEqual([false, true, true, false]);
});

/** The first nonce that satisfies a condition. */
async function findNonce(holds: (nonce: number) => Promise<boolean>): Promise<number> {
  for (let nonce = 0; ; nonce += 1) if (await holds(nonce)) return nonce;
}

const centWordAdds = async (nonce: number, payout: ExactPayout, adds: boolean) =>
  roundedBy(payout, await centWord(SEED, CLIENT, nonce)) > payout.cents === adds;

describe("verification uses the rules version of the round", async () => {
  const serverSeedHash = await sha256Hex(SEED);
  const seeds = { serverSeed: SEED, serverSeedHash, clientSeed: CLIENT };

  it.each([true, false])("dice, cent added: %s", async (adds) => {
    const payout = dicePayout(1, 66, "under");
    const nonce = await findNonce(
      async (at) => (await diceRoll(SEED, CLIENT, at)).roll <= 66 && (await centWordAdds(at, payout, adds)),
    );
    const { roll } = await diceRoll(SEED, CLIENT, nonce);
    const claim: DiceClaim = {
      ...seeds,
      nonce,
      rules: FAIR_CENTS,
      target: 66,
      side: "under",
      betCents: 1,
      roll,
      winCents: adds ? 2 : 1,
    };
    const verdict = await verifyDice(claim);
    expect(verdict.holds).toBe(true);
    expect(verdict.checks.at(-1)?.note).toContain(adds ? "one cent is added" : "nothing is added");
    expect((await verifyDice({ ...claim, winCents: adds ? 1 : 2 })).holds).toBe(false);
    const old = { ...claim, rules: ROUNDED_DOWN } as const;
    expect((await verifyDice({ ...old, winCents: 1 })).holds).toBe(true);
    expect((await verifyDice({ ...old, winCents: 2 })).holds).toBe(false);
  });

  it.each([true, false])("crash, cent added: %s", async (adds) => {
    const payout = exactPayout(101, 150, 100);
    const nonce = await findNonce(
      async (at) => (await crashPoint(SEED, CLIENT, at)).hundredths >= 150 && (await centWordAdds(at, payout, adds)),
    );
    const { hundredths } = await crashPoint(SEED, CLIENT, nonce);
    const claim = {
      ...seeds,
      nonce,
      betCents: 101,
      autoHundredths: 150,
      crashHundredths: hundredths,
      cashoutHundredths: 150,
    };
    expect((await verifyCrash({ ...claim, rules: FAIR_CENTS, winCents: adds ? 152 : 151 })).holds).toBe(true);
    expect((await verifyCrash({ ...claim, rules: FAIR_CENTS, winCents: adds ? 151 : 152 })).holds).toBe(false);
    expect((await verifyCrash({ ...claim, rules: ROUNDED_DOWN, winCents: 151 })).holds).toBe(true);
    expect((await verifyCrash({ ...claim, rules: ROUNDED_DOWN, winCents: 152 })).holds).toBe(false);
  });

  it.each([true, false])("stonks, cent added: %s", async (adds) => {
    const saleOf = async (at: number) => exactPayout(3, (await stonksPath(SEED, CLIENT, at))[1] ?? 0, 1000);
    const nonce = await findNonce(async (at) => {
      const payout = await saleOf(at);
      return payout.remainder > 0 && (await centWordAdds(at, payout, adds));
    });
    const path = await stonksPath(SEED, CLIENT, nonce);
    const { cents } = await saleOf(nonce);
    const claim = {
      ...seeds,
      nonce,
      betCents: 3,
      targetCents: null,
      path,
      soldAtTick: 1,
      cashoutThousandths: path[1] ?? 0,
    };
    expect((await verifyStonks({ ...claim, rules: FAIR_CENTS, winCents: adds ? cents + 1 : cents })).holds).toBe(true);
    expect((await verifyStonks({ ...claim, rules: FAIR_CENTS, winCents: adds ? cents : cents + 1 })).holds).toBe(false);
    expect((await verifyStonks({ ...claim, rules: ROUNDED_DOWN, winCents: cents })).holds).toBe(true);
    expect((await verifyStonks({ ...claim, rules: ROUNDED_DOWN, winCents: cents + 1 })).holds).toBe(false);
  });
});
