import { describe, expect, it } from "vitest";
import { ROUNDED_DOWN } from "@/lib/fairness/cents";
import { sha256Hex } from "@/lib/fairness/stream";
import vectors from "../../../../crates/games/tests/vectors/fairness.json";
import { type CrashClaim, crashPayoutCents, crashPoint, crashPointOf, verifyCrash } from "./fairness";

const SEED = "0123456789abcdef".repeat(4);

it("matches the published crash points, capped", async () => {
  expect(vectors.crash_point_uncapped.rows.length).toBeGreaterThan(4);
  for (const [serverSeed, clientSeed, nonce, expected] of vectors.crash_point_uncapped.rows) {
    const { hundredths } = await crashPoint(String(serverSeed), String(clientSeed), Number(nonce));
    expect(hundredths).toBe(Math.min(10_000, Math.max(100, Math.round(Number(expected) * 100))));
  }
});

it("is exact at every boundary", () => {
  const most = 99n << 32n;
  for (let k = 100; k <= 10_000; k += 1) {
    const last = Number(most / BigInt(k));
    expect(crashPointOf(last).hundredths).toBe(k);
    expect(crashPointOf(last).isInstant).toBe(false);
    expect(crashPointOf(last + 1).hundredths).toBe(Math.max(100, k - 1));
  }
  const first = Number(most / 100n) + 1;
  expect(crashPointOf(first)).toMatchObject({ hundredths: 100, isInstant: true });
  expect(crashPointOf(2 ** 32 - 1)).toMatchObject({ hundredths: 100, isInstant: true });
  expect(crashPointOf(0)).toMatchObject({ hundredths: 10_000, isInstant: false });
  expect(crashPointOf(1)).toMatchObject({ hundredths: 10_000, isInstant: false });
  // One round in a hundred crashes instantly.
  expect((2 ** 32 - first) / 2 ** 32).toBeCloseTo(0.01, 8);
});

it("pays at least the whole cents", () => {
  expect(crashPayoutCents(1000, 248)).toBe(2480);
  expect(crashPayoutCents(1, 199)).toBe(1);
  expect(crashPayoutCents(12_345, 153)).toBe(18_887);
  expect(crashPayoutCents(100_000, 10_000)).toBe(10_000_000);
});

async function findNonce(holds: (point: { hundredths: number; isInstant: boolean }) => boolean): Promise<number> {
  for (let nonce = 0; ; nonce += 1) if (holds(await crashPoint(SEED, "glasshouse", nonce))) return nonce;
}

describe("verification", async () => {
  const nonce = await findNonce(({ hundredths }) => hundredths > 200 && hundredths < 9000);
  const { hundredths } = await crashPoint(SEED, "glasshouse", nonce);
  const won: CrashClaim = {
    serverSeed: SEED,
    serverSeedHash: await sha256Hex(SEED),
    clientSeed: "glasshouse",
    nonce,
    rules: ROUNDED_DOWN,
    betCents: 1234,
    autoHundredths: null,
    crashHundredths: hundredths,
    cashoutHundredths: 153,
    winCents: 1888,
  };
  const lost: CrashClaim = { ...won, cashoutHundredths: null, winCents: 0 };

  it("passes for true claims", async () => {
    const claims: CrashClaim[] = [
      won,
      lost,
      { ...won, autoHundredths: 153 },
      { ...won, autoHundredths: 200 },
      { ...lost, autoHundredths: hundredths + 1 },
      { ...won, cashoutHundredths: hundredths, winCents: crashPayoutCents(1234, hundredths) },
    ];
    for (const claim of claims) expect((await verifyCrash(claim)).checks.filter((check) => !check.holds)).toEqual([]);
  });

  const falseClaims: [string, CrashClaim][] = [
    ["another seed", { ...won, serverSeed: SEED.replace("0", "1") }],
    ["another hash", { ...won, serverSeedHash: "0".repeat(64) }],
    ["another client seed", { ...won, clientSeed: "glasshouze" }],
    ["another nonce", { ...won, nonce: nonce + 1 }],
    ["another crash point", { ...won, crashHundredths: hundredths - 1 }],
    ["another payout", { ...won, winCents: 1889 }],
    ["a payout for a loss", { ...lost, winCents: 1 }],
    [
      "a cash-out after the crash",
      { ...won, cashoutHundredths: hundredths + 1, winCents: crashPayoutCents(1234, hundredths + 1) },
    ],
    ["a cash-out after the automatic one", { ...won, autoHundredths: 120 }],
    ["an automatic cash-out that was reached and not paid", { ...lost, autoHundredths: 200 }],
  ];
  it.each(falseClaims)("fails for %s", async (_, lie) => {
    expect((await verifyCrash(lie)).holds).toBe(false);
  });

  it("pays nothing in an instant crash, and everyone at the cap", async () => {
    const instant = await findNonce(({ isInstant }) => isInstant);
    const atOnce = { ...lost, nonce: instant, crashHundredths: 100 };
    expect((await verifyCrash(atOnce)).holds).toBe(true);
    expect((await verifyCrash({ ...atOnce, cashoutHundredths: 100, winCents: 1234 })).holds).toBe(false);
    const capped = await findNonce((point) => point.hundredths === 10_000);
    expect((await verifyCrash({ ...lost, nonce: capped, crashHundredths: 10_000 })).holds).toBe(false);
    expect(
      (
        await verifyCrash({
          ...won,
          nonce: capped,
          crashHundredths: 10_000,
          cashoutHundredths: 10_000,
          winCents: 123_400,
        })
      ).holds,
    ).toBe(true);
  });
});
