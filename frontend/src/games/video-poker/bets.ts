import { wireAmount } from "@/lib/money";
import type { PokerBet } from "./api";

/** In whole dollars. */
export const BETS = { minimum: 1, maximum: 10, initial: 1 } as const;

/** The largest bet is the maximum bet, whether set by the switch or the slider. */
export const betOf = (dollars: number): PokerBet => ({
  betAmount: wireAmount(dollars * 100),
  isMaxBet: dollars === BETS.maximum,
});
