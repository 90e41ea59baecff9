import { Club, Dices, History, House, LayoutDashboard, type LucideIcon, Spade, TrendingUp, Wallet, Zap } from "lucide-react";

/** The games, in the order of the menu. */
export const GAMES = [
  { to: "/dice", label: "Dice" },
  { to: "/crash", label: "Crash" },
  { to: "/stonks", label: "Stonks" },
  { to: "/poker", label: "Jacks or Better Poker" },
] as const;

/** Announced games; all lead to one page. */
export const COMING_GAMES = ["Blackjack", "Baccarat", "Mines"] as const;

export const HEADS_UP = { to: "/poker#heads-up", label: "Heads-up Poker" } as const;

/** What a round can be in play in. */
export type PlayedGame = "crash" | "stonks" | "poker" | "headsUp";

export type Place = { to: string; label: string; Icon: LucideIcon; games?: readonly PlayedGame[] };

/** The rail of a desktop. */
export const RAIL: { games: readonly Place[]; account: readonly Place[] } = {
  games: [
    { to: "/dice", label: "Dice", Icon: Dices },
    { to: "/crash", label: "Crash", Icon: Zap, games: ["crash"] },
    { to: "/stonks", label: "Stonks", Icon: TrendingUp, games: ["stonks"] },
    { to: "/poker", label: "Video poker", Icon: Spade, games: ["poker"] },
    { to: HEADS_UP.to, label: "Heads-up poker", Icon: Club, games: ["headsUp"] },
  ],
  account: [
    { to: "/history", label: "History", Icon: History },
    { to: "/dashboard", label: "Dashboard", Icon: LayoutDashboard },
  ],
};

const WALLET = "/dashboard?tab=account";

/** The bar at the bottom of a phone: every game and the wallet, one tap away. */
export const BOTTOM: readonly Place[] = [
  { to: "/dashboard", label: "Home", Icon: House },
  { to: "/dice", label: "Dice", Icon: Dices },
  { to: "/crash", label: "Crash", Icon: Zap, games: ["crash"] },
  { to: "/stonks", label: "Stonks", Icon: TrendingUp, games: ["stonks"] },
  { to: "/poker", label: "Poker", Icon: Spade, games: ["poker", "headsUp"] },
  { to: WALLET, label: "Wallet", Icon: Wallet },
  { to: "/history", label: "History", Icon: History },
];

type Where = { pathname: string; search: string; hash: string };

/** Which game's screen this is; both poker games have one address, told apart by its hash. */
export function gameAt({ pathname, hash }: Where): string | null {
  const game = /^(?:\/dashboard)?\/(dice|crash|stonks|poker)$/.exec(pathname)?.[1];
  if (game === undefined) return null;
  return game === "poker" && hash === "#heads-up" ? "headsUp" : game;
}

/** Whether an entry of the rail or of the bottom bar is the screen that is shown. */
export function isShown(place: Place, where: Where): boolean {
  const game = gameAt(where);
  if (game !== null) return place.games?.some((name) => name === game) ?? place.to === `/${game}`;
  const isWallet = new URLSearchParams(where.search).get("tab") === "account";
  if (where.pathname === "/dashboard" && isWallet) return place.to === WALLET;
  return place.to === where.pathname;
}
