/** How a result is celebrated: not at all, by a flash, also by a flight to the balance, or also by a glow. */
export type WinTier = "none" | "small" | "big" | "huge";

/** The tier of a payout: up to twice the stake, up to ten times, or more. Nothing was won if only the stake returns. */
export function winTier(stakeCents: number, payoutCents: number): WinTier {
  if (payoutCents <= stakeCents) return "none";
  if (payoutCents <= 2 * stakeCents) return "small";
  return payoutCents <= 10 * stakeCents ? "big" : "huge";
}
