// Money in the browser is whole cents in a number: exact up to ninety trillion dollars.

/** More whole digits than this are more money than anybody has. */
const MAX_DIGITS = 12;

/**
 * Cents of what a person typed: digits, at most two behind a point. Null if it is anything else;
 * Infinity where it is an amount, but larger than can be counted here.
 */
export function parseAmount(text: string): number | null {
  const match = /^0*(\d+?)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const [, dollars = "", decimals = ""] = match;
  return dollars.length > MAX_DIGITS ? Infinity : Number(dollars) * 100 + Number(decimals.padEnd(2, "0"));
}

/** As `parseAmount`, but null for what is too large to be counted, too. */
export function parseCents(text: string): number | null {
  const cents = parseAmount(text);
  return cents === Infinity ? null : cents;
}

/** The whole number that a person typed, in digits; null if it is anything else. Infinity as above. */
export function parseInteger(text: string): number | null {
  const match = /^0*(\d+?)$/.exec(text.trim());
  if (!match) return null;
  const [, digits = ""] = match;
  return digits.length > MAX_DIGITS ? Infinity : Number(digits);
}

/** Reads an amount that the server wrote, such as "12.30" or "-4.00". */
export function centsOf(wire: string): number {
  const isNegative = wire.startsWith("-");
  const cents = parseCents(isNegative ? wire.slice(1) : wire);
  if (cents === null) throw new Error(`not an amount: ${wire}`);
  return isNegative ? -cents : cents;
}

/** "10.00", as the server reads it. */
export function wireAmount(cents: number): string {
  const whole = Math.abs(cents);
  const sign = cents < 0 ? "-" : "";
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
}

/** "$1,234.50", or "−$4.00": how an amount is written wherever people read it. */
export function formatDollars(cents: number): string {
  const [dollars = "", decimals = ""] = wireAmount(Math.abs(cents)).split(".");
  return `${cents < 0 ? "−" : ""}$${dollars.replace(/\B(?=(\d{3})+$)/g, ",")}.${decimals}`;
}

/** "+$9.80", "−$9.80" or "$0.00": a profit or another change. */
export const formatChange = (cents: number): string => `${cents > 0 ? "+" : ""}${formatDollars(cents)}`;

/** An amount of the server's, for people. */
export const formatWire = (wire: string): string => formatDollars(centsOf(wire));
