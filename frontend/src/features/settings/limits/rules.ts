// What becomes of a new value of a limit, judged before it is sent. The server judges it again.

import type { LimitKind, LimitPeriod } from "@/lib/limit-texts";
import { limitValueText } from "@/lib/limit-texts";
import { parseAmount, parseInteger, wireAmount } from "@/lib/money";
import * as refusals from "@/lib/refusals";
import type { LimitSlot, PlayerLimit } from "./api";

const DAYS: Readonly<Record<LimitPeriod, number>> = { day: 1, week: 7, month: 31 };

/** The most minutes that a period has. */
export const maximumMinutes = (period: LimitPeriod): number => DAYS[period] * 24 * 60;

/** A limit in cents or whole minutes, so that two can be compared. */
export const sizeOf = (kind: LimitKind, value: string): number =>
  (kind === "session_time" ? parseInteger(value) : parseAmount(value)) ?? 0;

export type Typed = { value: string } | { error: string };

/** The typed value as it is sent, or why it cannot be a limit. */
export function typedLimit({ kind, period }: LimitSlot, text: string): Typed {
  if (kind === "session_time") {
    const minutes = parseInteger(text);
    const maximum = maximumMinutes(period);
    return minutes === null || minutes < 1 || minutes > maximum
      ? { error: `Please enter a whole number of minutes from 1 to ${maximum}` }
      : { value: String(minutes) };
  }
  const cents = parseAmount(text);
  if (cents === null) return { error: refusals.amountMalformed.text };
  if (cents === Infinity) return { error: refusals.amountOutOfRange.text };
  return { value: wireAmount(cents) };
}

/** What a new value does: it is the first one or a lower one, the same, or a higher one. */
export type Effect = "first" | "lower" | "same" | "raise";

export function effectOf(limit: PlayerLimit | undefined, value: string): Effect {
  if (limit === undefined) return "first";
  const [now, next] = [sizeOf(limit.kind, limit.value), sizeOf(limit.kind, value)];
  return next === now ? "same" : next < now ? "lower" : "raise";
}

const AT_ONCE = "In force at once. What you have used since the period began counts.";

/** What a new value will do, as said before it is saved. */
export function effectText(limit: PlayerLimit | undefined, value: string): string {
  const isPending = limit?.pending != null;
  switch (effectOf(limit, value)) {
    case "first":
      return AT_ONCE;
    case "lower":
      return isPending ? `${AT_ONCE} The pending change is dropped.` : AT_ONCE;
    case "same":
      return isPending ? "This is your limit now. The pending change is dropped." : "This is your limit now.";
    case "raise":
      return `Higher than now: ${limitValueText(limit?.kind ?? "stake", limit?.value ?? "0")} stays in force until you confirm the raise, 24 hours from now at the earliest.`;
  }
}

/** How much of a limit is used, from 0 to 1, and what is left of it in cents or minutes. */
export function usageOf({ kind, value, used }: PlayerLimit): { share: number; left: number } {
  const limit = sizeOf(kind, value);
  // After a net win the losses are negative.
  const isNegative = used.startsWith("-");
  const spent = isNegative ? -sizeOf(kind, used.slice(1)) : sizeOf(kind, used);
  const share = limit === 0 ? 1 : Math.min(1, Math.max(0, spent / limit));
  return { share, left: Math.max(0, limit - spent) };
}
