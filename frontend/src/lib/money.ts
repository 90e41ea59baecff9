// Money in the browser is whole cents in a number: exact up to ninety trillion dollars.

/** Reads what a person typed: digits, at most two behind a point. Null if it is anything else. */
export function parseCents(text: string): number | null {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
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

/** "1,234.50", for people. */
export function formatCents(cents: number): string {
  const [dollars = "", decimals = ""] = wireAmount(cents).split(".");
  return `${dollars.replace(/\B(?=(\d{3})+$)/g, ",")}.${decimals}`;
}

/** "$1,234.50", or "−$4.00". */
export function formatDollars(cents: number): string {
  return cents < 0 ? `−$${formatCents(-cents)}` : `$${formatCents(cents)}`;
}
