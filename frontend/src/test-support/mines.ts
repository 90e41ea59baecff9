import type { MinesRound, MinesRoundDetails } from "@/games/mines/api";
import type { SettledRound } from "@/games/rounds/api";
import { settledRound } from "./hands";

/** A round of mines in the server's format: three mines, nothing revealed. */
export const minesRound = (roundId: number, change: Partial<MinesRound> = {}): MinesRound => ({
  roundId,
  nonce: 0,
  result: "playing",
  betAmount: "10.00",
  mines: 3,
  revealed: [],
  multiplier: null,
  nextMultiplier: 1.125,
  payout: "0.00",
  minePositions: null,
  hitCell: null,
  winAmount: "0.00",
  newBalance: "90.00",
  availableToWithdraw: "0.00",
  receipt: null,
  ...change,
});

/** After one safe cell. */
export const safeRound = (roundId: number, cell = 7): MinesRound =>
  minesRound(roundId, { revealed: [cell], multiplier: 1.125, nextMultiplier: 1.285, payout: "11.25" });

export const paidRound = (roundId: number): MinesRound =>
  minesRound(roundId, {
    result: "cashed_out",
    revealed: [7],
    multiplier: 1.125,
    nextMultiplier: null,
    payout: "11.25",
    winAmount: "11.25",
    minePositions: [14, 1, 5],
    newBalance: "101.25",
  });

export const hitRound = (roundId: number): MinesRound =>
  minesRound(roundId, {
    result: "crashed",
    revealed: [7, 5],
    multiplier: null,
    nextMultiplier: null,
    minePositions: [14, 1, 5],
    hitCell: 5,
  });

/** A settled round of mines. */
export const settledMines = (id: number, mines: MinesRoundDetails, change: { winAmount?: string } = {}): SettledRound =>
  Object.assign(settledRound(id, change), { gameType: "mines", betAmount: "10.00", mines });
