import { centsOf, formatDollars } from "@/lib/money";
import type { RoundReceipt } from "./receipt";

/** A settled round as the house shows it: in the history, or with its seeds. */
export type ShownRound = {
  id: number;
  betAmount: string;
  winAmount: string;
  createdAt: string;
  serverSeedHash?: string;
  nonce?: number;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

export const isShownRound = (value: unknown): value is ShownRound =>
  isObject(value) &&
  typeof value.id === "number" &&
  typeof value.betAmount === "string" &&
  typeof value.winAmount === "string" &&
  typeof value.createdAt === "string";

/** What a shown round says otherwise than its receipt, which the house has signed; empty if they agree. */
export function differences(receipt: RoundReceipt, shown: ShownRound): string[] {
  const found: string[] = [];
  const compare = (name: string, now: string, signed: string) => {
    if (now !== signed) found.push(`The house shows ${name} ${now} now, but signed ${signed}.`);
  };
  compare("a stake of", formatDollars(centsOf(shown.betAmount)), formatDollars(receipt.stakeCents));
  compare("a payout of", formatDollars(centsOf(shown.winAmount)), formatDollars(receipt.payoutCents ?? 0));
  if (shown.nonce !== undefined) compare("the nonce", String(shown.nonce), String(receipt.nonce));
  if (shown.serverSeedHash !== undefined && shown.serverSeedHash !== receipt.serverSeedHash)
    found.push("The house shows another seed pair now than the one that it signed.");
  return found;
}
