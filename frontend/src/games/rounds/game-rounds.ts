import type { ComponentType, ReactNode } from "react";
import { centsOf, formatWire, wireAmount } from "@/lib/money";
import type { GameHistoryEntry, GameType } from "./api";

export type RoundColumn = { name: string; cell(entry: GameHistoryEntry): ReactNode };

/** How to recognize the rounds of a game, and how to describe them. */
export type GameRounds = {
  /** The game's name in the history, and its label. */
  gameType: GameType;
  typeLabel: string;
  /** Distinguishes games that share the type; undefined if there is only one. */
  variant?: NonNullable<GameHistoryEntry["pokerGame"]>;
  /** A round's result in a word or a figure, for its chip. */
  resultText(entry: GameHistoryEntry): string;
  /** A round's terms and result in one line, for lists of all games. */
  detailText(entry: GameHistoryEntry): string;
  /**
   * The first and fourth columns of the table below the stage; the round's number and bet are between them, the profit
   * follows.
   */
  columns: { result: RoundColumn; bet: string; terms: RoundColumn };
  /** The heading of these rounds on a page with several games. */
  title?: string;
  /** A further tab below the stage, with the game's own statistics. */
  extraTab?: { value: string; label: string; Content: ComponentType };
};

/** Whether a history entry belongs to this game. */
export const isRoundOf = ({ gameType, variant }: GameRounds, entry: GameHistoryEntry): boolean =>
  entry.gameType === gameType && (variant === undefined || entry.pokerGame === variant);

type Played = Omit<GameHistoryEntry, "createdAt" | "profit">;

/** A round that has just ended, in the format of the history. */
export function recordOf(round: Played): GameHistoryEntry {
  const profit = wireAmount(centsOf(round.winAmount) - centsOf(round.betAmount));
  return { ...round, profit, createdAt: new Date().toISOString() };
}

export const isWin = ({ outcome }: Pick<GameHistoryEntry, "outcome">): boolean => outcome.startsWith("win");

/** "1.24×", with as many decimals as the game shows. */
export const times = (multiplier: number, decimals = 2): string => `${multiplier.toFixed(decimals)}×`;

/** What a bet paid as a multiple of its stake, rounded down: "1.98×"; a dash for nothing. */
export function paidMultiplier({ betAmount, winAmount }: Pick<GameHistoryEntry, "betAmount" | "winAmount">): string {
  const [stakeCents, paidCents] = [centsOf(betAmount), centsOf(winAmount)];
  if (paidCents === 0 || stakeCents === 0) return "–";
  const hundredths = Number((BigInt(paidCents) * 100n) / BigInt(stakeCents));
  return `${wireAmount(hundredths)}×`;
}

/** For games without a term worth a column. */
export const PAID_COLUMN: RoundColumn = { name: "Paid", cell: ({ winAmount }) => formatWire(winAmount) };
