import { describe, expect, it } from "vitest";
import { ROUNDED_DOWN } from "@/lib/fairness/cents";
import { sha256Hex, words } from "@/lib/fairness/stream";
import {
  automaticSale,
  LAST_TICK,
  nextTick,
  pathOf,
  type StonksClaim,
  stonksPath,
  stonksPayoutCents,
  verifyStonks,
} from "./fairness";

const SEED = "0123456789abcdef".repeat(4);
const CALM = 0;
const NORMAL = 1;
const WILD = 2;
/** Its bytes add up to 510: no swing. */
const LEVEL = 0x7f80_7f80;
const upper = (c: number, lower = 0xffff) => c * 65_536 + lower;

/** A second implementation of the rules as written, in BigInt, where nothing is rounded. */
function oracle(stream: readonly number[]): number[] {
  const path = [1000n];
  let m = 1000n;
  let g = 1;
  for (let tick = 1; tick <= 240; tick += 1) {
    const a = BigInt(stream[2 * tick - 2] ?? 0);
    const b = BigInt(stream[2 * tick - 1] ?? 0);
    if (m >= 60_000n) {
      path.push((a + 1n) * 100_000n <= m << 32n ? 100_000n : 0n);
      break;
    }
    const h = tick === 1 ? 1823n : [393n, 1180n, 2949n][g]!;
    const c = a >> 16n;
    if (c < h) {
      path.push(0n);
      break;
    }
    const z = (b >> 24n) + ((b >> 16n) & 255n) + ((b >> 8n) & 255n) + (b & 255n) - 510n;
    const dividend = tick === 1 ? 4_252_017_623n : 1n << 32n;
    const [base, rem] = [dividend / (65_536n - h), dividend % (65_536n - h)];
    const f = base + (c >= 65_536n - rem ? 1n : 0n) + [12n, 32n, 60n][g]! * z;
    m = (m * f + (a & 65_535n)) >> 16n;
    path.push(m > 0n ? m : 0n);
    if (m <= 0n) break;
    if ((a & 255n) < 24n) g = [0, 0, 0, 1, 1, 1, 2, 2][Number((a >> 8n) & 7n)]!;
  }
  return path.map(Number);
}

const at = (point: number, regime: 0 | 1 | 2, tick: number, a: number, b = LEVEL) =>
  nextTick({ point, regime }, tick, a, b);

/** The sum of the points that follow 32,768, over all words that do not crash. */
const sum = (regime: 0 | 1 | 2, tick: number, chance: number) => {
  let total = 0;
  for (let c = chance; c < 65_536; c += 1) total += at(32_768, regime, tick, upper(c, 1 << 15)).point;
  return total;
};

describe("a tick", () => {
  it("crashes below the chance of its regime, and of the first tick", () => {
    const chances = [
      [CALM, 2, 393],
      [NORMAL, 2, 1180],
      [WILD, 2, 2949],
      [CALM, 1, 1823],
      [NORMAL, 1, 1823],
      [WILD, 1, 1823],
    ] as const;
    for (const [regime, tick, chance] of chances) {
      expect(at(1000, regime, tick, upper(chance - 1))).toMatchObject({ point: 0, isLast: true });
      expect(at(1000, regime, tick, upper(chance))).toMatchObject({ isLast: false });
    }
  });

  it("has factors that add up to 2^32, those of the first tick to 0.99 of it", () => {
    // At a point of 32768 with such a lower half the next point is ceil(f / 2), so twice the sum differs from the sum
    // of the factors by at most one per word.
    for (const [regime, tick, chance, whole] of [
      [CALM, 2, 393, 2 ** 32],
      [NORMAL, 2, 1180, 2 ** 32],
      [WILD, 2, 2949, 2 ** 32],
      [NORMAL, 1, 1823, 4_252_017_623],
    ] as const) {
      expect(Math.abs(sum(regime, tick, chance) * 2 - whole)).toBeLessThanOrEqual(65_536);
    }
  });

  it("closes from 60.000 on", () => {
    expect(at(59_999, NORMAL, 9, upper(40_000)).isLast).toBe(false);
    const most = Math.floor((60_000 * 2 ** 32) / 100_000) - 1;
    expect(at(60_000, NORMAL, 9, most)).toMatchObject({ point: 100_000, isLast: true });
    expect(at(60_000, NORMAL, 9, most + 1)).toMatchObject({ point: 0, isLast: true });
    expect(at(100_700, WILD, 9, 2 ** 32 - 1)).toMatchObject({ point: 100_000 });
  });

  it("changes the regime by the lowest byte", () => {
    const regimes = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (choice) => at(1000, WILD, 2, upper(30_000, choice * 256 + 23)).regime,
    );
    expect(regimes).toEqual([0, 0, 0, 1, 1, 1, 2, 2]);
    expect(at(1000, WILD, 2, upper(30_000, 24)).regime).toBe(WILD);
  });

  it("swings more in a wilder market, and ends after tick 240", () => {
    const rises = ([CALM, NORMAL, WILD] as const).map(
      (regime) => at(10_000, regime, 2, upper(30_000), 0xffff_ffff).point,
    );
    expect(rises).toEqual(rises.toSorted((one, other) => one - other));
    const falls = ([CALM, NORMAL, WILD] as const).map((regime) => at(10_000, regime, 2, upper(30_000), 0).point);
    expect(falls).toEqual(falls.toSorted((one, other) => other - one));
    expect(at(1, WILD, 2, upper(30_000, 0), 0)).toMatchObject({ point: 0, isLast: true });
    expect(at(1000, CALM, LAST_TICK, upper(30_000)).isLast).toBe(true);
  });
});

it("matches the rules in BigInt", async () => {
  const ends = new Set<string>();
  for (let nonce = 0; nonce < 400; nonce += 1) {
    const stream = await words(SEED, "stonks", nonce, 480);
    const path = pathOf(stream);
    expect(path).toEqual(oracle(stream));
    ends.add(path.at(-1) === 0 ? "crash" : path.length === 241 ? "full" : "closed");
  }
  expect(ends).toContain("crash");
});

it("pays exactly, rounded down, and auto-sells in time", () => {
  expect(stonksPayoutCents(1000, 1234)).toBe(1234);
  expect(stonksPayoutCents(999, 1999)).toBe(1997);
  expect(automaticSale([1000, 1100, 1500, 0], 1000, 1500)).toBe(2);
  expect(automaticSale([1000, 1100, 1499, 0], 1000, 1500)).toBeNull();
  expect(automaticSale([1000, 1100, 1200], 1000, null)).toBe(2);
  // The start cannot be sold, whatever it is worth.
  expect(automaticSale([1000, 0], 1000, 1000)).toBeNull();
});

describe("verification", async () => {
  let nonce = 0;
  let path: number[] = [];
  // A round that rises a little and crashes later.
  for (; path.length < 12 || (path[5] ?? 0) <= 1050 || path.at(-1) !== 0; nonce += 1)
    path = await stonksPath(SEED, "glasshouse", nonce);
  nonce -= 1;
  const price = path[5] ?? 0;
  const highest = Math.max(...path);
  const sold: StonksClaim = {
    serverSeed: SEED,
    serverSeedHash: await sha256Hex(SEED),
    clientSeed: "glasshouse",
    nonce,
    rules: ROUNDED_DOWN,
    betCents: 2000,
    targetCents: null,
    path,
    soldAtTick: 5,
    cashoutThousandths: price,
    winCents: stonksPayoutCents(2000, price),
  };
  const lost: StonksClaim = { ...sold, soldAtTick: null, cashoutThousandths: null, winCents: 0 };
  const changed = path.map((point, tick) => (tick === 7 ? point + 1 : point));

  it("passes for true claims", async () => {
    for (const claim of [sold, lost, { ...lost, targetCents: 2 * highest + 1 }])
      expect((await verifyStonks(claim)).checks.filter((check) => !check.holds)).toEqual([]);
  });

  const falseClaims: [string, StonksClaim][] = [
    ["another seed", { ...sold, serverSeed: SEED.replace("0", "1") }],
    ["another hash", { ...sold, serverSeedHash: "0".repeat(64) }],
    ["another client seed", { ...sold, clientSeed: "glasshouze" }],
    ["another nonce", { ...sold, nonce: nonce + 1 }],
    ["one changed point", { ...sold, path: changed }],
    ["a path cut short", { ...sold, path: path.slice(0, -1) }],
    ["a path drawn out", { ...sold, path: [...path, 0] }],
    ["another price", { ...sold, cashoutThousandths: price + 1 }],
    ["another payout", { ...sold, winCents: sold.winCents - 1 }],
    ["a payout for a loss", { ...lost, winCents: 1 }],
    ["a sale before the first tick", { ...sold, soldAtTick: 0, cashoutThousandths: 1000, winCents: 2000 }],
    ["a sale at the crash", { ...sold, soldAtTick: path.length - 1, cashoutThousandths: 0, winCents: 0 }],
    ["an auto-sell that was reached and not made", { ...lost, targetCents: 2 * price }],
  ];
  it.each(falseClaims)("fails for %s", async (_, lie) => {
    expect((await verifyStonks(lie)).holds).toBe(false);
  });

  it("says where a path differs", async () => {
    const { checks } = await verifyStonks({ ...sold, path: changed });
    expect(checks.find((check) => !check.holds)).toMatchObject({
      name: "Every point of the path",
      computed: `tick 7: ${((path[7] ?? 0) / 1000).toFixed(3)}×`,
    });
  });
});
