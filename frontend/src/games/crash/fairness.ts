import { NOTHING } from "@/lib/fairness/exact-payout";
import { type Check, type RoundClaim, winCheck } from "@/lib/fairness/check";
import { fieldsOf, isWhole, publishedGame } from "@/lib/fairness/published";
import { sha256Hex, words } from "@/lib/fairness/stream";
import { crashPayout } from "./payout";

export { crashPayout, crashPayoutCents } from "./payout";

/** Crash points range from 1.00 to 100.00, here in hundredths. */
const LOWEST = 100;
const HIGHEST = 10_000;

export type CrashPoint = { word: number; hundredths: number; isInstant: boolean };

/**
 * `floor(99 × 2^32 / word)` hundredths, between 1.00 and 100.00. In BigInt, because dividing doubles could round up to
 * the next hundredth. Below 1.00 the round crashes instantly.
 */
export function crashPointOf(word: number): CrashPoint {
  if (word === 0) return { word, hundredths: HIGHEST, isInstant: false };
  const raw = Number((99n << 32n) / BigInt(word));
  return { word, hundredths: Math.min(HIGHEST, Math.max(LOWEST, raw)), isInstant: raw < LOWEST };
}

/** The crash point of a round, and the word it was derived from. */
export async function crashPoint(serverSeed: string, clientSeed: string, nonce: number): Promise<CrashPoint> {
  const [word = 0] = await words(serverSeed, clientSeed, nonce, 1);
  return crashPointOf(word);
}

export type CrashClaim = RoundClaim & {
  autoHundredths: number | null;
  crashHundredths: number;
  cashoutHundredths: number | null;
};

/**
 * The cash-out according to the rules: a manual one in time counts; a reached automatic one, or the cap, counts even if
 * the claim omits it. Null if the bet was lost.
 */
function dueCashout(point: CrashPoint, { autoHundredths, cashoutHundredths }: CrashClaim): number | null {
  if (point.isInstant) return null;
  const latest = Math.min(autoHundredths ?? HIGHEST, HIGHEST);
  if (
    cashoutHundredths !== null &&
    cashoutHundredths >= LOWEST &&
    cashoutHundredths <= Math.min(latest, point.hundredths)
  )
    return cashoutHundredths;
  return latest <= point.hundredths ? latest : null;
}

const shown = (hundredths: number): string => `${(hundredths / 100).toFixed(2)}×`;

/** Recomputes a round and compares each part of the claim with the result. */
export async function verifyCrash(claim: CrashClaim): Promise<{ point: CrashPoint; checks: Check[]; holds: boolean }> {
  const hash = await sha256Hex(claim.serverSeed);
  const point = await crashPoint(claim.serverSeed, claim.clientSeed, claim.nonce);
  const due = dueCashout(point, claim);
  const payout = due === null ? NOTHING : crashPayout(claim.betCents, due);
  const checks: Check[] = [
    {
      name: "Hash of the server seed",
      claimed: claim.serverSeedHash,
      computed: hash,
      holds: hash === claim.serverSeedHash,
    },
    {
      name: "Crash point",
      claimed: shown(claim.crashHundredths),
      computed: shown(point.hundredths),
      holds: point.hundredths === claim.crashHundredths,
    },
    {
      name: "Cashed out at",
      claimed: claim.cashoutHundredths === null ? "never" : shown(claim.cashoutHundredths),
      computed: due === null ? "never" : shown(due),
      holds: due === claim.cashoutHundredths,
    },
    await winCheck(payout, claim),
  ];
  return { point, checks, holds: checks.every((check) => check.holds) };
}

const MIN_STAKE_CENTS = 100;
const MAX_STAKE_CENTS = 100_000;

/** The player's choices as they are published: null for no automatic cash-out, and for a lost bet. */
export type CrashTerms = {
  curve: "linear" | "exponential";
  autoCashoutHundredths: number | null;
  cashoutHundredths: number | null;
};

const isMultiplier = (value: unknown, lowest: number): value is number | null =>
  value === null || isWhole(value, lowest, Number.MAX_SAFE_INTEGER);

function readTerms(json: unknown): CrashTerms | null {
  const { curve, autoCashoutHundredths, cashoutHundredths } = fieldsOf(json);
  const isCurve = curve === "linear" || curve === "exponential";
  const isTerms = isCurve && isMultiplier(autoCashoutHundredths, LOWEST + 1) && isMultiplier(cashoutHundredths, LOWEST);
  return isTerms ? { curve, autoCashoutHundredths, cashoutHundredths } : null;
}

/** A player can leave at every multiplier up to the end; at the automatic cash-out, or the cap, the player must. */
export const publishedCrash = publishedGame("crash", readTerms, (stakeCents, terms, draw) => {
  const point = crashPointOf(draw());
  if (!isWhole(stakeCents, MIN_STAKE_CENTS, MAX_STAKE_CENTS)) return null;
  const { cashoutHundredths } = terms;
  const automatic = Math.min(terms.autoCashoutHundredths ?? HIGHEST, HIGHEST);
  const reached = point.isInstant ? 0 : point.hundredths;
  if (cashoutHundredths === null) return automatic <= reached ? null : NOTHING;
  return cashoutHundredths <= Math.min(automatic, reached) ? crashPayout(stakeCents, cashoutHundredths) : null;
});
