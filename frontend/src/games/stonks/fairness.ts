import { NOTHING } from "@/lib/fairness/exact-payout";
import { type Check, type RoundClaim, winCheck } from "@/lib/fairness/check";
import { type DrawWord, fieldsOf, isWhole, publishedGame } from "@/lib/fairness/published";
import { sha256Hex, words } from "@/lib/fairness/stream";
import { stonksPayout } from "./payout";

export { stonksPayout, stonksPayoutCents } from "./payout";

// A market in thousandths. Every product is below 2^53 (the largest, 100,000 × 2^32, is below 2^49) and every division
// is by a power of two or rounded down at once, so doubles are exact here.

export const START = 1000;
export const LAST_TICK = 240;
const WORD = 2 ** 32;
const CLOSING_FROM = 60_000;
const CLOSING_POINT = 100_000;
/** Out of 65536, by regime: calm, normal, wild. The first tick carries the house edge. */
const CRASH_CHANCE = [393, 1180, 2949] as const;
const FIRST_CRASH_CHANCE = 1823;
const FIRST_DIVIDEND = 4_252_017_623;
const SWING = [12, 32, 60] as const;
const REGIMES = [0, 0, 0, 1, 1, 1, 2, 2] as const;

type Regime = 0 | 1 | 2;
export type Market = { point: number; regime: Regime };

/** The sum of a word's four bytes, minus its mean. */
function swingOf(word: number): number {
  return (word >>> 24) + ((word >>> 16) & 255) + ((word >>> 8) & 255) + (word & 255) - 510;
}

/** One tick of the market; `isLast` after a crash or the closing tick. */
export function nextTick(market: Market, tick: number, a: number, b: number): Market & { isLast: boolean } {
  const { point, regime } = market;
  if (point >= CLOSING_FROM) {
    const isPaid = (a + 1) * CLOSING_POINT <= point * WORD;
    return { point: isPaid ? CLOSING_POINT : 0, regime, isLast: true };
  }
  const chance = tick === 1 ? FIRST_CRASH_CHANCE : CRASH_CHANCE[regime];
  const upper = a >>> 16;
  if (upper < chance) return { point: 0, regime, isLast: true };
  const survivors = 65_536 - chance;
  const dividend = tick === 1 ? FIRST_DIVIDEND : WORD;
  const factor =
    Math.floor(dividend / survivors) + (upper >= 65_536 - (dividend % survivors) ? 1 : 0) + SWING[regime] * swingOf(b);
  const next = Math.floor((point * factor + (a & 65_535)) / 65_536);
  if (next <= 0) return { point: 0, regime, isLast: true };
  const changed = (a & 255) < 24 ? (REGIMES[(a >>> 8) & 7] ?? regime) : regime;
  return { point: next, regime: changed, isLast: tick === LAST_TICK };
}

/** The whole path from a stream of words, including the start; a final 0 is the crash. */
export function pathOf(stream: readonly number[]): number[] {
  const rest = stream.values();
  return pathFrom(() => rest.next().value ?? 0);
}

/** The same, drawing only the words that are needed. */
function pathFrom(draw: DrawWord): number[] {
  let market: Market = { point: START, regime: 1 };
  const path = [START];
  for (let tick = 1; tick <= LAST_TICK; tick += 1) {
    const a = draw();
    const next = nextTick(market, tick, a, draw());
    path.push(next.point);
    if (next.isLast) break;
    market = next;
  }
  return path;
}

export async function stonksPath(serverSeed: string, clientSeed: string, nonce: number): Promise<number[]> {
  return pathOf(await words(serverSeed, clientSeed, nonce, 2 * LAST_TICK));
}

/** The tick of the automatic sale: the target is reached, or the market closes. */
export function automaticSale(path: readonly number[], betCents: number, targetCents: number | null): number | null {
  const reached =
    targetCents === null
      ? -1
      : path.findIndex((point, tick) => tick > 0 && BigInt(betCents) * BigInt(point) >= BigInt(targetCents) * 1000n);
  if (reached > 0) return reached;
  const last = path.length - 1;
  return last > 0 && path[last] !== 0 ? last : null;
}

export type StonksClaim = RoundClaim & {
  targetCents: number | null;
  /** In thousandths, like all points here. */
  path: readonly number[];
  soldAtTick: number | null;
  cashoutThousandths: number | null;
};

const shown = (thousandths: number | undefined): string =>
  thousandths === undefined ? "nothing" : `${(thousandths / 1000).toFixed(3)}×`;
const sale = (tick: number | null, thousandths: number | null | undefined): string =>
  tick === null ? "never" : `tick ${tick}, at ${shown(thousandths ?? undefined)}`;

/** Describes where the claimed path differs from the computed one, or else its length and end. */
function pathCheck(claimed: readonly number[], computed: readonly number[]): Check {
  const length = Math.max(claimed.length, computed.length);
  const differs = Array.from({ length }, (_, tick) => tick).find((tick) => claimed[tick] !== computed[tick]);
  const name = "Every point of the path";
  if (differs === undefined) {
    const text = `${computed.length - 1} ticks, the last ${shown(computed.at(-1))}`;
    return { name, claimed: text, computed: text, holds: true };
  }
  return {
    name,
    claimed: `tick ${differs}: ${shown(claimed[differs])}`,
    computed: `tick ${differs}: ${shown(computed[differs])}`,
    holds: false,
  };
}

/** Recomputes a round and compares each part of the claim with the result. */
export async function verifyStonks(claim: StonksClaim): Promise<{ path: number[]; checks: Check[]; holds: boolean }> {
  const hash = await sha256Hex(claim.serverSeed);
  const path = await stonksPath(claim.serverSeed, claim.clientSeed, claim.nonce);
  const automatic = automaticSale(path, claim.betCents, claim.targetCents);
  const { soldAtTick } = claim;
  // A manual sale counts at a published, live tick before the automatic sale.
  const isOwnSale =
    soldAtTick !== null &&
    soldAtTick >= 1 &&
    (path[soldAtTick] ?? 0) > 0 &&
    (automatic === null || soldAtTick <= automatic);
  const soldAt = isOwnSale ? soldAtTick : automatic;
  const price = soldAt === null ? null : (path[soldAt] ?? 0);
  const payout = price === null ? NOTHING : stonksPayout(claim.betCents, price);
  const checks: Check[] = [
    {
      name: "Hash of the server seed",
      claimed: claim.serverSeedHash,
      computed: hash,
      holds: hash === claim.serverSeedHash,
    },
    pathCheck(claim.path, path),
    {
      name: "Sold at",
      claimed: sale(soldAtTick, claim.cashoutThousandths),
      computed: sale(soldAt, price),
      holds: soldAt === soldAtTick && price === claim.cashoutThousandths,
    },
    await winCheck(payout, claim),
  ];
  return { path, checks, holds: checks.every((check) => check.holds) };
}

const MAX_STAKE_CENTS = 100_000;

/** The player's choices as they are published: null for no auto-sell amount, and for a lost bet. */
export type StonksTerms = { autoSellCents: number | null; soldAtTick: number | null };

function readTerms(json: unknown): StonksTerms | null {
  const { autoSellCents, soldAtTick } = fieldsOf(json);
  const isTerms =
    (autoSellCents === null || isWhole(autoSellCents, 1, Number.MAX_SAFE_INTEGER)) &&
    (soldAtTick === null || isWhole(soldAtTick, 1, LAST_TICK));
  return isTerms ? { autoSellCents, soldAtTick } : null;
}

/** A player can sell at every point before the market's end, and must at the automatic sale. */
export const publishedStonks = publishedGame("stonks", readTerms, (stakeCents, terms, draw) => {
  const path = pathFrom(draw);
  const { autoSellCents, soldAtTick } = terms;
  const isBet = isWhole(stakeCents, 1, MAX_STAKE_CENTS) && (autoSellCents === null || autoSellCents > stakeCents);
  if (!isBet) return null;
  const automatic = automaticSale(path, stakeCents, autoSellCents);
  if (soldAtTick === null) return automatic === null ? NOTHING : null;
  const point = path[soldAtTick] ?? 0;
  return point > 0 && soldAtTick <= (automatic ?? LAST_TICK) ? stonksPayout(stakeCents, point) : null;
});
