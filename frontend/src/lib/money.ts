// Money in the browser is a whole number of cents: exact up to ninety trillion dollars.

/** More whole digits than any real amount has. */
const MAX_DIGITS = 12;

/**
 * Parses a typed amount as cents: digits, with at most two decimals. Null if it is malformed; Infinity if it is too
 * large to represent.
 */
export function parseAmount(text: string): number | null {
  const match = /^0*(\d+?)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const [, dollars = "", decimals = ""] = match;
  return dollars.length > MAX_DIGITS ? Infinity : Number(dollars) * 100 + Number(decimals.padEnd(2, "0"));
}

/** Like `parseAmount`, but also null if it is too large. */
export function parseCents(text: string): number | null {
  const cents = parseAmount(text);
  return cents === Infinity ? null : cents;
}

/** Parses a typed whole number; null if it is malformed, Infinity if it is too large. */
export function parseInteger(text: string): number | null {
  const match = /^0*(\d+?)$/.exec(text.trim());
  if (!match) return null;
  const [, digits = ""] = match;
  return digits.length > MAX_DIGITS ? Infinity : Number(digits);
}

/** Parses an amount from the server, such as "12.30" or "-4.00". */
export function centsOf(wire: string): number {
  const isNegative = wire.startsWith("-");
  const cents = parseCents(isNegative ? wire.slice(1) : wire);
  if (cents === null) throw new Error(`not an amount: ${wire}`);
  return isNegative ? -cents : cents;
}

/** "10.00", the server's format. */
export function wireAmount(cents: number): string {
  const whole = Math.abs(cents);
  const sign = cents < 0 ? "-" : "";
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
}

/** "$1,234.50" or "−$4.00": the display format. */
export function formatDollars(cents: number): string {
  const [dollars = "", decimals = ""] = wireAmount(Math.abs(cents)).split(".");
  return `${cents < 0 ? "−" : ""}$${dollars.replace(/\B(?=(\d{3})+$)/g, ",")}.${decimals}`;
}

/** "+$9.80", "−$9.80" or "$0.00": a profit or another change. */
export const formatChange = (cents: number): string => `${cents > 0 ? "+" : ""}${formatDollars(cents)}`;

/** Formats an amount from the server for display. */
export const formatWire = (wire: string): string => formatDollars(centsOf(wire));

const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** "−$1.2K": the axis of a plot needs no cents. */
export const shortDollars = (cents: number): string => `${cents < 0 ? "−" : ""}$${SHORT.format(Math.abs(cents) / 100)}`;
