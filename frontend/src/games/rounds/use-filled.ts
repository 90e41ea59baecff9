import { useEffect } from "react";
import type { Pages } from "@/api/pages";
import type { GameRounds } from "./game-rounds";
import { PAGE_SIZE, type PublicBet } from "./public-bets";

/** This many pages are loaded automatically before the player has to ask for more. */
const AUTOMATIC_PAGES = 5;

/** Loads further pages if most entries are of another game with the same name. */
export function useFilled(game: GameRounds, pages: Pages<PublicBet>, shownCount: number): void {
  const { hasMore, isLoading, error, size, loadMore } = pages;
  const isShort = game.variant !== undefined && shownCount < PAGE_SIZE && hasMore && size < AUTOMATIC_PAGES;
  useEffect(() => {
    if (isShort && !isLoading && error === undefined) loadMore();
  }, [isShort, isLoading, error, loadMore]);
}
