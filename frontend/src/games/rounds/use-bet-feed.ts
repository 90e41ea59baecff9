import { useCallback, useEffect, useRef, useState } from "react";
import { liveEvents } from "@/api/live/event-stream";
import { usePages } from "@/api/pages";
import { useIsVisible } from "@/lib/use-is-visible";
import type { GameRounds } from "./game-rounds";
import { fetchBets, isBetOn, mergedBets, PAGE_SIZE, type PublicBet } from "./public-bets";
import { useFilled } from "./use-filled";

/** New bets are kept up to this many: the next page continues below those that were there when the list was loaded. */
const MAX_LIVE = 500;
/** New bets are shown together this often, so that the list stays readable. */
const SHOW_EVERY_MS = 700;

type BetEvent = { serverTimeMs: number; bet: PublicBet };

/**
 * Everybody's bets on a game, newest first: pages from the server, and on top those that end while the page is visible.
 * While the list is held, new bets wait.
 */
export function useBetFeed(game: GameRounds) {
  const { gameType } = game;
  const pages = usePages(["bets", "all", gameType], (cursor) => fetchBets("all", gameType, cursor));
  const [live, setLive] = useState<readonly PublicBet[]>([]);
  const [isHeld, setHeld] = useState(false);
  const waiting = useRef<PublicBet[]>([]);
  const showWaiting = useCallback(() => {
    const arrived = waiting.current;
    if (arrived.length === 0) return;
    waiting.current = [];
    setLive((known) => mergedBets(arrived, known, MAX_LIVE));
  }, []);
  useEffect(() => {
    if (isHeld) return undefined;
    showWaiting();
    const timer = setInterval(showWaiting, SHOW_EVERY_MS);
    return () => clearInterval(timer);
  }, [isHeld, showWaiting]);

  const isVisible = useIsVisible();
  const { reload } = pages;
  useEffect(() => {
    if (!isVisible) return undefined;
    const stops = [
      liveEvents.on<BetEvent>("bet", ({ bet }) => {
        waiting.current = [bet, ...waiting.current].slice(0, MAX_LIVE);
      }),
      // Bets may have ended before it was open.
      liveEvents.onOpen(() => void reload()),
      liveEvents.watchBets(gameType),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [isVisible, gameType, reload]);

  // Only the first page gives up its oldest bets for new ones: they are still to come below it.
  const most = pages.size === 1 ? PAGE_SIZE : MAX_LIVE + pages.entries.length;
  const shown = mergedBets(live, pages.entries, most);
  const bets = shown.filter((bet) => isBetOn(game, bet));
  useFilled(game, pages, bets.length);
  /** Loads again what is shown, because a name in it has changed: what arrived live still has the old one. */
  async function renew() {
    const old = new Set(live);
    await reload();
    setLive((known) => known.filter((bet) => !old.has(bet)));
  }
  return { ...pages, bets, isHeld, setHeld, renew };
}
