import { api } from "@/api/client";
import { type Page, pageOf, pageQuery } from "@/api/pages";
import type { components } from "@/api/schema";
import type { GameHistoryEntry, GameType } from "./api";
import { type GameRounds, isRoundOf } from "./game-rounds";

export type PublicBet = components["schemas"]["PublicBet"];
export type BetsView = "all" | "high";

/** The rows of a page, and the most that the live list shows without further pages. */
export const PAGE_SIZE = 20;

/** A page of everybody's settled bets on a game: the newest, or those with the highest profit. */
export async function fetchBets(view: BetsView, gameType: GameType, cursor: string | null): Promise<Page<PublicBet>> {
  const query = { view, gameType, ...pageQuery(PAGE_SIZE, cursor) };
  return pageOf(await api.GET("/api/bets", { params: { query } }));
}

/** A bet in the format of the history, which the columns of the games read. */
export const entryOf = (bet: PublicBet): GameHistoryEntry => ({
  ...bet.result,
  id: bet.id,
  gameType: bet.gameType,
  betAmount: bet.betAmount,
  winAmount: bet.winAmount,
  profit: bet.profit,
  outcome: bet.outcome,
  createdAt: bet.endedAt,
});

/** Whether a bet belongs to this game; two games can share a type. */
export const isBetOn = (game: GameRounds, bet: PublicBet): boolean => isRoundOf(game, entryOf(bet));

const byEnd = (one: PublicBet, other: PublicBet): number =>
  Date.parse(other.endedAt) - Date.parse(one.endedAt) || other.id - one.id;

/** Bets from the live list and from pages, each once, newest first, at most `most`. */
export function mergedBets(live: readonly PublicBet[], paged: readonly PublicBet[], most: number): PublicBet[] {
  const byId = new Map([...paged, ...live].map((bet) => [bet.id, bet]));
  return [...byId.values()].toSorted(byEnd).slice(0, most);
}
