// Whether what is at the provider covers what players are owed.

import { formatDollars } from "@/lib/money";

export type Cover = {
  /** "123.4%"; null if nothing is owed. */
  ratio: string | null;
  /** What is missing, in words; null if nothing is. */
  warning: string | null;
};

/** Compares a balance with liabilities, both in cents. The ratio is rounded down, so that 100% is never less. */
export function coverOf(balanceCents: number, owedCents: number): Cover {
  if (owedCents <= 0) return { ratio: null, warning: null };
  // In whole numbers, because a product of cents can be larger than those that are exact.
  const tenths = (BigInt(balanceCents) * 1000n) / BigInt(owedCents);
  const ratio = `${(tenths / 10n).toLocaleString("en-US")}.${tenths % 10n}%`;
  const missing = owedCents - balanceCents;
  if (missing <= 0) return { ratio, warning: null };
  return { ratio, warning: `The balance covers only ${ratio} of what is owed: ${formatDollars(missing)} is missing.` };
}
