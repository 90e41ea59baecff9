import { ChartLine, History, House, LayoutDashboard, type LucideIcon, Wallet } from "lucide-react";
import type { GameDefinition } from "@/games/definition";
import { GAME_SCREENS, screensOf, shownGame } from "@/games/registry";

/** An entry of the sidebar or the bottom bar; `games` are the games it leads to. */
export type Place = { to: string; label: string; Icon: LucideIcon; games?: readonly GameDefinition[] };

const HISTORY: Place = { to: "/history", label: "History", Icon: History };
const STATISTICS: Place = { to: "/statistics", label: "Statistics", Icon: ChartLine };

/** The desktop sidebar: one entry per game. */
export const sidebarOf = (
  games: readonly GameDefinition[],
): { games: readonly Place[]; account: readonly Place[] } => ({
  games: games.map((game) => ({ to: game.path, label: game.label, Icon: game.Icon, games: [game] })),
  account: [HISTORY, STATISTICS, { to: "/dashboard", label: "Dashboard", Icon: LayoutDashboard }],
});

const WALLET = "/dashboard?tab=account";

/** More games than this do not fit into the bottom bar of the narrowest phone. */
const BAR_GAMES = 5;
/** How many of them are in the bar when the others are behind an entry for all games. */
const CHOSEN_GAMES = 3;

export type BottomBar = {
  home: Place;
  games: readonly Place[];
  account: readonly Place[];
  all: readonly Place[] | null;
};

/**
 * The bottom bar of a phone: every game page and the wallet. If there are too many games, it has the first ones, but
 * always those that `isWanted`, and `all` of them for an entry of their own.
 */
export function bottomBarOf(shown: readonly GameDefinition[], isWanted: (place: Place) => boolean): BottomBar {
  const all = screensOf(shown).map(({ path, games }): Place => ({
    to: path,
    label: games[0].shortLabel,
    Icon: games[0].Icon,
    games,
  }));
  const bar = {
    home: { to: "/dashboard", label: "Home", Icon: House },
    account: [{ to: WALLET, label: "Wallet", Icon: Wallet }, HISTORY],
  };
  if (all.length <= BAR_GAMES) return { ...bar, games: all, all: null };
  const wanted = all.filter(isWanted);
  const chosen = new Set([...wanted, ...all].slice(0, Math.max(CHOSEN_GAMES, wanted.length)));
  return { ...bar, games: all.filter((place) => chosen.has(place)).slice(0, BAR_GAMES), all };
}

type Where = { pathname: string; search: string; hash: string };

/** The game that this screen shows, if any. Each game has its own page and one in the dashboard. */
export function gameAt({ pathname, hash }: Where): GameDefinition | null {
  const screen = GAME_SCREENS.find(({ path }) => pathname === path || pathname === `/dashboard${path}`);
  return screen ? shownGame(screen, hash) : null;
}

/** Whether an entry of the sidebar or the bottom bar links to the current screen. */
export function isShown(place: Place, where: Where): boolean {
  const game = gameAt(where);
  if (game !== null) return place.games?.includes(game) ?? false;
  const isWallet = new URLSearchParams(where.search).get("tab") === "account";
  if (where.pathname === "/dashboard" && isWallet) return place.to === WALLET;
  return place.to === where.pathname;
}
