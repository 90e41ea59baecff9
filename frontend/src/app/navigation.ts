import { History, House, LayoutDashboard, type LucideIcon, Wallet } from "lucide-react";
import type { GameDefinition } from "@/games/definition";
import { GAME_SCREENS, screensOf, shownGame } from "@/games/registry";

/** An entry of the sidebar or the bottom bar; `games` are the games it leads to. */
export type Place = { to: string; label: string; Icon: LucideIcon; games?: readonly GameDefinition[] };

const HISTORY: Place = { to: "/history", label: "History", Icon: History };

/** The desktop sidebar: one entry per game. */
export const sidebarOf = (
  games: readonly GameDefinition[],
): { games: readonly Place[]; account: readonly Place[] } => ({
  games: games.map((game) => ({ to: game.path, label: game.label, Icon: game.Icon, games: [game] })),
  account: [HISTORY, { to: "/dashboard", label: "Dashboard", Icon: LayoutDashboard }],
});

const WALLET = "/dashboard?tab=account";

/** The bottom bar of a phone: every game page and the wallet. */
export const bottomBarOf = (shown: readonly GameDefinition[]): readonly Place[] => [
  { to: "/dashboard", label: "Home", Icon: House },
  ...screensOf(shown).map(({ path, games }) => ({ to: path, label: games[0].shortLabel, Icon: games[0].Icon, games })),
  { to: WALLET, label: "Wallet", Icon: Wallet },
  HISTORY,
];

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
