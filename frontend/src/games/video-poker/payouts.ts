import { MAX_BET_CENTS, videoPokerMultiplier, type VideoPokerRank } from "./paytable";

/** What a hand pays for a bet; only the maximum bet has the full royal flush. */
export const payoutCents = (rank: VideoPokerRank, betCents: number): number =>
  betCents * videoPokerMultiplier(rank, betCents === MAX_BET_CENTS);
