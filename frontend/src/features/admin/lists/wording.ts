// How the panel words what the server has codes, times and amounts for.

import type { GameStatus } from "@/games/definition";
import { formatChange } from "@/lib/money";

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const RELATIVE = new Intl.RelativeTimeFormat("en-US", { numeric: "always" });

/** "3 days ago": whole units that have passed, the largest there is one of. Clocks differ: nothing is in the future. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1000);
  const found = UNITS.find(([, length]) => seconds >= length);
  if (!found) return "just now";
  const [unit, length] = found;
  return RELATIVE.format(-Math.trunc(seconds / length), unit);
}

/** An address in groups of four characters, as it is read out and compared. */
export function groupsOfFour(text: string): string[] {
  return text.match(/.{1,4}/gsu) ?? [];
}

/** "balance override" of balance_override. */
export const inWords = (code: string): string => code.replaceAll("_", " ");

/** "Partially paid" of partially_paid. */
export function asLabel(code: string): string {
  const words = inWords(code);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "1 win", "1,234 losses". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** "+$12.00" or "−$4.00". */
export const signedDollars = formatChange;

/** What a game is at the moment. */
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
/** The colour of a payment's status. */
export const paymentTone = (status: string): PaymentTone => PAYMENT_TONES[status] ?? "loss";
