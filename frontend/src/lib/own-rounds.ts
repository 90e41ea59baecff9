import type { GameHistoryEntry, GameType } from "@/api/types";
import { centsOf, formatChange, wireAmount } from "./money";

/** A game by itself; the history has both poker games under one name. */
export type OwnGame = "dice" | "crash" | "stonks" | "videoPoker" | "headsUp";

export const gameTypeOf = (game: OwnGame): GameType => (game === "videoPoker" || game === "headsUp" ? "poker" : game);

/** Whether a record is of this game. */
export function isOf(game: OwnGame, { gameType, pokerGame }: GameHistoryEntry): boolean {
  return gameType === "poker" ? pokerGame === game : gameType === game;
}

type Played = Omit<GameHistoryEntry, "createdAt" | "profit">;

/** A round that has just ended, as the history will tell of it. */
export function recordOf(round: Played): GameHistoryEntry {
  const profit = wireAmount(centsOf(round.winAmount) - centsOf(round.betAmount));
  return { ...round, profit, createdAt: new Date().toISOString() };
}

export const isWin = ({ outcome }: Pick<GameHistoryEntry, "outcome">): boolean => outcome.startsWith("win");

/** "1.24×", with as many decimals as the game shows. */
export const times = (multiplier: number, decimals = 2): string => `${multiplier.toFixed(decimals)}×`;

/** What a round came to, in a word or a figure: what its chip says. */
export function resultText(entry: GameHistoryEntry): string {
  switch (entry.gameType) {
    case "dice":
      return String(entry.diceResult ?? "–");
    case "crash":
      return times(entry.cashoutMultiplier ?? entry.crashPoint ?? 1);
    case "stonks":
      return times(entry.cashoutMultiplier ?? 0, 3);
    case "poker":
      return entry.pokerGame === "headsUp" ? formatChange(centsOf(entry.profit)) : (entry.handRank ?? "No win");
  }
}

/** The terms and the result of a round in one line, for where rounds of all games stand together. */
export function detailText(entry: GameHistoryEntry): string {
  switch (entry.gameType) {
    case "dice":
      return `Rolled ${entry.diceResult}, ${sideText(entry)}`;
    case "crash":
      return `Crash point ${times(entry.crashPoint ?? 1)}${entry.autoCashoutMultiplier == null ? "" : `, automatic at ${times(entry.autoCashoutMultiplier)}`}`;
    case "stonks":
      return entry.cashoutMultiplier == null ? "Crashed to zero" : `Sold at ${times(entry.cashoutMultiplier, 3)}`;
    case "poker":
      return entry.pokerGame === "headsUp" ? `Heads-up, ${entry.action ?? "dealt"}` : "Jacks or Better";
  }
}

/** "over 50", "50 or under". */
export const sideText = ({ betType, targetNumber }: GameHistoryEntry): string => (betType === "under" ? `${targetNumber} or under` : `over ${targetNumber}`);
