import { useState } from "react";
import { useUser } from "@/api/session";
import { type CommandGroup, CommandDialog } from "@/components/command-dialog";
import { useAnnouncedGames } from "@/games/announced";
import { useGameStatuses } from "@/games/game-status";
import { useNavigate } from "@/lib/address";
import { searched, withIds, withLatest } from "@/lib/search";
import { useAppDialogs } from "../providers/dialogs";
import { useGamesInPlay } from "../providers/running-rounds";
import { useShownGames } from "../shown-games";
import { useLogOut } from "../use-log-out";
import { type SearchEntry, searchEntries } from "./entries";

/** How many of the last results are offered before anything is typed. */
const RECENT = 4;
const keyOf = (userId: number): string => `glasshouse-searches-${userId}`;
const GROUPS = ["Games", "Pages", "Actions"] as const;

function storedIds(userId: number): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** What is offered for a query: while it is empty the recent results come first, and are not repeated below. */
export function groupsOf(
  query: string,
  entries: readonly SearchEntry[],
  recentIds: readonly string[],
): readonly CommandGroup[] {
  if (query.trim() !== "") return [{ name: "Results", commands: searched(query, entries) }];
  const recent = withIds(recentIds, entries);
  const rest = entries.filter((entry) => !recent.includes(entry));
  return [
    { name: "Recent", commands: recent },
    ...GROUPS.map((name) => ({ name, commands: rest.filter(({ group }) => group === name) })),
  ];
}

/** Finds games, pages and actions by name. */
export function SearchDialog({ onClose }: { onClose(): void }) {
  const user = useUser();
  const userId = user?.id ?? 0;
  const [query, setQuery] = useState("");
  const [recentIds] = useState(() => storedIds(userId));
  const { openDeposit, openWithdraw, openFairness } = useAppDialogs();
  const { statusOf } = useGameStatuses();
  const announced = useAnnouncedGames();
  const { games: inPlay } = useGamesInPlay();
  const games = useShownGames();
  const navigate = useNavigate();
  const logOut = useLogOut();
  const entries = searchEntries({
    games,
    announced,
    inPlay,
    isPaused: (game) => statusOf(game) === "paused",
    isAdmin: user?.isAdmin ?? false,
    goTo: (path) => void navigate(path),
    openDeposit,
    openWithdraw,
    openFairness: () => openFairness(),
    logOut: () => void logOut(),
  });
  return (
    <CommandDialog
      title="Search"
      placeholder="Games, pages and actions"
      query={query}
      onQueryChange={setQuery}
      groups={groupsOf(query, entries, recentIds)}
      nothingFound={`Nothing found for “${query.trim()}”. Search for a game, a page or an action.`}
      onClose={onClose}
      onChoose={({ id }) => localStorage.setItem(keyOf(userId), JSON.stringify(withLatest(recentIds, id, RECENT)))}
    />
  );
}
