import type { ExactPayout } from "./exact-payout";
import { centWord } from "./stream";

export { type ExactPayout, exactPayout, extraCentChance, NOTHING } from "./exact-payout";

/** The rules versions: payouts rounded down to the cent, or with the fraction of a cent decided by chance. */
export const ROUNDED_DOWN = 1;
export const FAIR_CENTS = 2;
export type RulesVersion = typeof ROUNDED_DOWN | typeof FAIR_CENTS;

export const isKnownRules = (version: number): version is RulesVersion =>
  version === ROUNDED_DOWN || version === FAIR_CENTS;

/** The payout if `word` decides the fraction: a cent more if word × divisor < remainder × 2³². */
export function roundedBy({ cents, remainder, divisor }: ExactPayout, word: number): number {
  const adds = BigInt(word) * BigInt(divisor) < BigInt(remainder) << 32n;
  return adds ? cents + 1 : cents;
}

/** A rounded payout with the word that decided it, or null if it was whole. */
export type Rounded = { cents: number; word: number | null };

/** What a round pays by its seeds and its rules version. */
export async function payoutCents(
  payout: ExactPayout,
  rules: RulesVersion,
  serverSeed: string,
  clientSeed: string,
  nonce: number,
): Promise<Rounded> {
  if (rules === ROUNDED_DOWN || payout.remainder === 0) return { cents: payout.cents, word: null };
  const word = await centWord(serverSeed, clientSeed, nonce);
  return { cents: roundedBy(payout, word), word };
}

/** Explains how the last cent was decided, for readers who follow the computation; empty if the payout was whole. */
export function explainRounding({ remainder, divisor }: ExactPayout, { word }: Rounded): string {
  if (word === null) return "";
  const adds = BigInt(word) * BigInt(divisor) < BigInt(remainder) << 32n;
  return `${remainder}/${divisor} of a cent is left over. The word of “cent”, ${word}, times ${divisor} is ${adds ? "below" : "not below"} ${remainder} × 2³²: ${adds ? "one cent is added" : "nothing is added"}.`;
}
