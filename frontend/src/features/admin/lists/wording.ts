// How the panel words the server's codes, times and amounts.

import type { GameStatus } from "@/games/definition";
import { formatChange } from "@/lib/money";

/** An address in groups of four characters, easier to read out and compare. */
export function groupsOfFour(text: string): string[] {
  return text.match(/.{1,4}/gsu) ?? [];
}

/** balance_override → "balance override". */
export const inWords = (code: string): string => code.replaceAll("_", " ");

/** partially_paid → "Partially paid". */
export function asLabel(code: string): string {
  const words = inWords(code);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "+$12.00" or "−$4.00". */
export const signedDollars = formatChange;

/** A game's status in words. */
export const GAME_STATUS_WORDS: Readonly<Record<GameStatus, string>> = {
  open: "Open",
  paused: "Paused",
  announced: "Announced",
};

export type PaymentTone = "win" | "amber" | "info" | "loss";
const PAYMENT_TONES: Readonly<Record<string, PaymentTone>> = {
  finished: "win",
  confirmed: "win",
  partially_paid: "amber",
  waiting: "info",
  confirming: "info",
  sending: "info",
};
/** The colour for a payment's status. */
export const paymentTone = (status: string): PaymentTone => PAYMENT_TONES[status] ?? "loss";
