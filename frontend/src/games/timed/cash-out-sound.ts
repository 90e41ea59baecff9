import { playSound } from "@/lib/sound";

export type CashOutClaim = { cashoutMultiplier: string };

/** The sound of a cash-out: it rises, so that a sale at a loss, as the market allows, stays quiet. */
export function playCashOut({ cashoutMultiplier }: CashOutClaim): void {
  if (Number(cashoutMultiplier) > 1) playSound("cash-out");
}
