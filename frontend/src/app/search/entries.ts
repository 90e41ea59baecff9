import {
  ArrowDownToLine,
  ArrowUpFromLine,
  CalendarClock,
  ChartLine,
  FileSearch,
  FileText,
  Gauge,
  HeartHandshake,
  History,
  LayoutDashboard,
  LogOut,
  Settings,
  Shield,
  ShieldCheck,
  Wallet,
} from "lucide-react";
import type { Command } from "@/components/command-dialog";
import type { AnnouncedGame, GameDefinition } from "@/games/definition";
import { LIMITS_ADDRESS } from "@/lib/limit-texts";
import type { Searchable } from "@/lib/search";

/** A result of the search. */
export type SearchEntry = Searchable & Command & { group: "Games" | "Pages" | "Actions" };

type Context = {
  games: readonly GameDefinition[];
  announced: readonly AnnouncedGame[];
  inPlay: ReadonlySet<GameDefinition>;
  isPaused(game: GameDefinition): boolean;
  isAdmin: boolean;
  goTo(path: string): void;
  openDeposit(): void;
  openWithdraw(): void;
  openFairness(): void;
  logOut(): void;
};

/** Everything that this user can search for. */
export const searchEntries = (context: Context): readonly SearchEntry[] => [
  ...gameEntries(context),
  ...pageEntries(context),
  ...actionEntries(context),
];

function gameEntries({ games, announced, inPlay, isPaused, goTo }: Context): SearchEntry[] {
  const playable = games.map((game): SearchEntry => {
    const hint = inPlay.has(game) ? "In play" : isPaused(game) ? "Paused" : null;
    return {
      id: `game-${game.id}`,
      group: "Games",
      label: game.name,
      keywords: [game.label, game.title, game.lobby?.tagline ?? ""],
      Icon: game.Icon,
      ...(hint === null ? {} : { hint }),
      run: () => goTo(game.path),
    };
  });
  const coming = announced
    .filter(({ isInMenu }) => isInMenu)
    .map(({ id, name, fullName }): SearchEntry => ({
      id: `coming-${id}`,
      group: "Games",
      label: name,
      keywords: [fullName],
      Icon: CalendarClock,
      hint: "Coming Soon",
      run: () => goTo("/coming-soon"),
    }));
  return [...playable, ...coming];
}

type EntryOf = (
  label: string,
  Icon: NonNullable<SearchEntry["Icon"]>,
  keywords: readonly string[],
  run: () => void,
) => SearchEntry;

const entryOf =
  (group: SearchEntry["group"]): EntryOf =>
  (label, Icon, keywords, run) => ({ id: `${group}-${label}`, group, label, Icon, keywords, run });

function pageEntries({ isAdmin, goTo, openFairness }: Context): SearchEntry[] {
  const page = entryOf("Pages");
  const admin = page("Admin Panel", Shield, ["administration", "users", "payments"], () => goTo("/admin"));
  return [
    page("Dashboard", LayoutDashboard, ["home", "lobby", "games"], () => goTo("/dashboard")),
    page("Wallet", Wallet, ["account", "balance", "money", "deposits", "withdrawals"], () =>
      goTo("/dashboard?tab=account"),
    ),
    page("Game History", History, ["bets", "rounds", "results"], () => goTo("/history")),
    page("Statistics", ChartLine, ["profit", "totals", "statements", "export"], () => goTo("/statistics")),
    page("Settings", Settings, ["profile", "password", "sessions", "privacy", "turbo", "sound"], () =>
      goTo("/settings"),
    ),
    page("Limits", Gauge, ["deposit limit", "loss limit", "session time", "self-exclusion", "cool-off"], () =>
      goTo(LIMITS_ADDRESS),
    ),
    page("Terms of Service", FileText, ["privacy policy", "legal", "rules"], () => goTo("/terms")),
    page("Responsible Gaming", HeartHandshake, ["help", "addiction", "odds", "house edge"], () =>
      goTo("/responsible-gaming"),
    ),
    page("Fairness", ShieldCheck, ["provably fair", "server seed", "client seed", "verify"], openFairness),
    page("Transparency", FileSearch, ["public record", "log", "RTP", "audit"], () => goTo("/transparency")),
    page("Coming Soon", CalendarClock, ["new games", "announced"], () => goTo("/coming-soon")),
    ...(isAdmin ? [admin] : []),
  ];
}

function actionEntries({ openDeposit, openWithdraw, logOut }: Context): SearchEntry[] {
  const action = entryOf("Actions");
  return [
    action("Deposit", ArrowDownToLine, ["add money", "crypto", "bitcoin", "top up"], openDeposit),
    action("Withdraw", ArrowUpFromLine, ["pay out", "crypto"], openWithdraw),
    action("Log out", LogOut, ["sign out", "leave"], logOut),
  ];
}
