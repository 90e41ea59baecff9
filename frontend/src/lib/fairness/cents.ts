import { centWord } from "./stream";

/** The versions of the rules that rounds are paid by: rounded down to the cent, or fair to its fraction. */
export const ROUNDED_DOWN = 1;
export const FAIR_CENTS = 2;
export type RulesVersion = typeof ROUNDED_DOWN | typeof FAIR_CENTS;

export const isKnownRules = (version: number): version is RulesVersion =>
  version === ROUNDED_DOWN || version === FAIR_CENTS;

/** A payout: so many whole cents, and `remainder / divisor` of another, which is less than one. */
export type ExactPayout = { cents: number; remainder: number; divisor: number };

export const NOTHING: ExactPayout = { cents: 0, remainder: 0, divisor: 1 };

/** `bet × numerator / divisor`, exactly. */
export function exactPayout(betCents: number, numerator: number, divisor: number): ExactPayout {
  const product = BigInt(betCents) * BigInt(numerator);
  return { cents: Number(product / BigInt(divisor)), remainder: Number(product % BigInt(divisor)), divisor };
}

/** What is paid where `word` decides about the fraction: a cent more if word × divisor < remainder × 2³². */
export function roundedBy({ cents, remainder, divisor }: ExactPayout, word: number): number {
  const adds = BigInt(word) * BigInt(divisor) < BigInt(remainder) << 32n;
  return adds ? cents + 1 : cents;
}

/** The chance, from 0 to 1, that a payout has one cent more than its whole ones. */
export const extraCentChance = ({ remainder, divisor }: ExactPayout): number => remainder / divisor;

/** What decided a payout: the word, or null where there was nothing to decide. */
export type Rounded = { cents: number; word: number | null };

/** What a round pays by its seeds and by the version of its rules. */
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

/** How the last cent came about, for a reader who follows the computation; empty where it was not decided. */
export function explainRounding({ remainder, divisor }: ExactPayout, { word }: Rounded): string {
  if (word === null) return "";
  const adds = BigInt(word) * BigInt(divisor) < BigInt(remainder) << 32n;
  return `${remainder}/${divisor} of a cent is left over. The word of “cent”, ${word}, times ${divisor} is ${adds ? "below" : "not below"} ${remainder} × 2³²: ${adds ? "one cent is added" : "nothing is added"}.`;
}
