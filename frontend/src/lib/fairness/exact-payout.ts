// What a payout is before its last cent is decided. Needs no cryptography, so that a game's form can show it at once.

/** A payout of whole cents, plus `remainder / divisor` of another, which is less than one. */
export type ExactPayout = { cents: number; remainder: number; divisor: number };

export const NOTHING: ExactPayout = { cents: 0, remainder: 0, divisor: 1 };

/** `bet × numerator / divisor`, exactly. */
export function exactPayout(betCents: number, numerator: number, divisor: number): ExactPayout {
  const product = BigInt(betCents) * BigInt(numerator);
  return { cents: Number(product / BigInt(divisor)), remainder: Number(product % BigInt(divisor)), divisor };
}

/** The chance, from 0 to 1, that rounding adds a cent to a payout. */
export const extraCentChance = ({ remainder, divisor }: ExactPayout): number => remainder / divisor;
