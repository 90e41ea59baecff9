import type { ReactNode } from "react";
import { centsOf, formatWire, wireAmount } from "@/lib/money";
import type { GameHistoryEntry, GameType } from "./api";

export type RoundColumn = { name: string; cell(entry: GameHistoryEntry): ReactNode };

/** How the rounds of a game are told apart from those of others, and how they read. */
export type GameRounds = {
  /** What the history has the game under, and how that reads. */
  gameType: GameType;
  typeLabel: string;
  /** Which game it is of those that share the type; undefined where there is only one. */
  variant?: NonNullable<GameHistoryEntry["pokerGame"]>;
  /** What a round came to, in a word or a figure: what its chip says. */
  resultText(entry: GameHistoryEntry): string;
  /** The terms and the result of a round in one line, for where rounds of all games stand together. */
  detailText(entry: GameHistoryEntry): string;
  /** The first and the fourth column beneath the stage; between them stand the round's number and the bet, after them the profit. */
  columns: { result: RoundColumn; bet: string; terms: RoundColumn };
  /** The heading of these rounds, where another game can stand on the same page. */
  title?: string;
};

/** Whether a record is of this game. */
export const isRoundOf = ({ gameType, variant }: GameRounds, entry: GameHistoryEntry): boolean =>
  entry.gameType === gameType && (variant === undefined || entry.pokerGame === variant);

type Played = Omit<GameHistoryEntry, "createdAt" | "profit">;

/** A round that has just ended, as the history will tell of it. */
export function recordOf(round: Played): GameHistoryEntry {
  const profit = wireAmount(centsOf(round.winAmount) - centsOf(round.betAmount));
  return { ...round, profit, createdAt: new Date().toISOString() };
}

export const isWin = ({ outcome }: Pick<GameHistoryEntry, "outcome">): boolean => outcome.startsWith("win");

/** "1.24×", with as many decimals as the game shows. */
export const times = (multiplier: number, decimals = 2): string => `${multiplier.toFixed(decimals)}×`;

/** For games of which no term is worth a column. */
export const PAID_COLUMN: RoundColumn = { name: "Paid", cell: ({ winAmount }) => formatWire(winAmount) };
