import { describe, expect, it } from "vitest";
import { FAIR_CENTS } from "@/lib/fairness/cents";
import { sha256Hex } from "@/lib/fairness/stream";
import { type DiceClaim, dicePayoutCents, diceRoll, diceWins, verifyDice, winningNumbers } from "./fairness";

const SEED = "0123456789abcdef".repeat(4);
const SIDES = ["over", "under"] as const;

describe("dice", () => {
  it("matches the documented example", async () => {
    expect(await sha256Hex(SEED)).toBe("a8ae6e6ee929abea3afcfc5258c8ccd6f85273e0d4626d26c7279f3250f77c8e");
    const rolls = await Promise.all([0, 1, 2, 3, 4].map((nonce) => diceRoll(SEED, "glasshouse", nonce)));
    expect(rolls.map(({ roll }) => roll)).toEqual([60, 10, 64, 80, 100]);
  });

  it("wins on exactly the winning numbers and pays 99 % of the fair price, apart from a fraction of a cent", () => {
    for (const side of SIDES) {
      for (let target = 1; target <= 98; target += 1) {
        let wins = 0;
        for (let roll = 1; roll <= 100; roll += 1) wins += diceWins(roll, target, side) ? 1 : 0;
        expect(wins).toBe(winningNumbers(target, side));
        for (const cents of [1, 7, 100, 12_345, 100_000]) {
          const payout = dicePayoutCents(cents, target, side);
          expect(payout * wins).toBeLessThanOrEqual(cents * 99);
          expect((payout + 1) * wins).toBeGreaterThan(cents * 99);
        }
      }
    }
  });
});

describe("verification", () => {
  const claim: DiceClaim = {
    serverSeed: SEED,
    serverSeedHash: "a8ae6e6ee929abea3afcfc5258c8ccd6f85273e0d4626d26c7279f3250f77c8e",
    clientSeed: "glasshouse",
    nonce: 0,
    rules: FAIR_CENTS,
    target: 50,
    side: "over",
    betCents: 1000,
    roll: 60,
    winCents: 1980,
  };

  it("passes for a true claim", async () => {
    expect((await verifyDice(claim)).holds).toBe(true);
  });

  const falseClaims: [string, Partial<DiceClaim>][] = [
    ["another seed", { serverSeed: SEED.replace("0", "1") }],
    ["another hash", { serverSeedHash: "0".repeat(64) }],
    ["another roll", { roll: 61 }],
    ["another payout", { winCents: 1979 }],
    ["another nonce", { nonce: 1 }],
    ["another client seed", { clientSeed: "glasshouze" }],
    ["another target", { target: 60 }],
    ["another side", { side: "under" }],
  ];
  it.each(falseClaims)("fails for %s", async (_, lie) => {
    expect((await verifyDice({ ...claim, ...lie })).holds).toBe(false);
  });
});
