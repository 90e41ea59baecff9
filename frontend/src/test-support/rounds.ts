import type { CrashRound } from "@/games/crash/api";
import type { StonksRound } from "@/games/stonks/api";
import type { LiveRound, RoundResult } from "@/games/timed/api";

/** A round in the server's format. */
export const round = (
  roundId: number,
  result: RoundResult = "playing",
  change: Partial<LiveRound> = {},
): LiveRound => ({
  result,
  roundId,
  betAmount: "10.00",
  cashoutMultiplier: null,
  winAmount: "0.00",
  newBalance: "90.00",
  availableToWithdraw: "0.00",
  receipt: null,
  startedAtMs: 1000,
  serverTimeMs: 1000,
  nonce: 0,
  ...change,
});

export const crashRound = (roundId: number, change: Partial<CrashRound> = {}): CrashRound => ({
  ...round(roundId),
  curve: "linear",
  autoCashoutMultiplier: null,
  crashPoint: null,
  ...change,
});

export const stonksRound = (roundId: number, change: Partial<StonksRound> = {}): StonksRound => ({
  ...round(roundId),
  autoCashoutProfit: null,
  points: [1],
  ...change,
});
