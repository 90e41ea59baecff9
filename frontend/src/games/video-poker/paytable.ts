/** Jacks or Better 8/5, best hand first: the payout as a multiple of the bet. */
export const PAYTABLE = {
  ROYAL_FLUSH: 800,
  STRAIGHT_FLUSH: 50,
  FOUR_OF_A_KIND: 25,
  FULL_HOUSE: 8,
  FLUSH: 5,
  STRAIGHT: 4,
  THREE_OF_A_KIND: 3,
  TWO_PAIR: 2,
  JACKS_OR_BETTER: 1,
  HIGH_CARD: 0,
} as const;
export type VideoPokerRank = keyof typeof PAYTABLE;

/** What a royal flush pays below the maximum bet. */
export const ROYAL_BELOW_MAXIMUM = 250;
export const MAX_BET_CENTS = 1000;

export function videoPokerMultiplier(rank: VideoPokerRank, isMaxBet: boolean): number {
  return rank === "ROYAL_FLUSH" && !isMaxBet ? ROYAL_BELOW_MAXIMUM : PAYTABLE[rank];
}

/** "FULL HOUSE" */
export const rankWords = (rank: string): string => rank.replaceAll("_", " ");
