// The items of the menus in the header, which are closed at first.

import type { CurrentUser } from "@/api/types";
import { Badge, DropdownMenuContent, DropdownMenuItem, DropdownMenuSeparator } from "@/components";
import { useAnnouncedGames } from "@/games/announced";
import { useGameStatuses } from "@/games/game-status";
import { screensOf } from "@/games/registry";
import { Link } from "@/lib/address";
import { formatWire } from "@/lib/money";
import { useAppDialogs } from "./providers/dialogs";
import { useShownGames } from "./shown-games";
import { useLogOut } from "./use-log-out";

export function GamesMenuContent() {
  const { statusOf } = useGameStatuses();
  const announced = useAnnouncedGames();
  const shown = useShownGames();
  return (
    <DropdownMenuContent align="start">
      {screensOf(shown).map(({ path, games: [game] }) => (
        <DropdownMenuItem key={path} asChild>
          <Link to={path}>
            {game.name}
            {statusOf(game) === "paused" && <Badge>Paused</Badge>}
          </Link>
        </DropdownMenuItem>
      ))}
      <DropdownMenuSeparator />
      {announced
        .filter(({ isInMenu }) => isInMenu)
        .map(({ id, name }) => (
          <DropdownMenuItem key={id} asChild>
            <Link to="/coming-soon">
              {name}
              <Badge>Coming Soon</Badge>
            </Link>
          </DropdownMenuItem>
        ))}
    </DropdownMenuContent>
  );
}

export function UserMenuContent({ user }: { user: CurrentUser }) {
  const { openFairness, openHotkeys } = useAppDialogs();
  const logOut = useLogOut();
  return (
    <DropdownMenuContent align="end">
      <p className="px-3 py-2 text-13 text-ink-2">
        {user.username}
        <span className="block font-semibold text-ink">{formatWire(user.balance)}</span>
      </p>
      <DropdownMenuSeparator />
      <DropdownMenuItem asChild>
        <Link to="/dashboard">Dashboard</Link>
      </DropdownMenuItem>
      <DropdownMenuItem asChild>
        <Link to="/history">Game History</Link>
      </DropdownMenuItem>
      <DropdownMenuItem asChild>
        <Link to="/statistics">Statistics</Link>
      </DropdownMenuItem>
      <DropdownMenuItem onSelect={() => openFairness()}>Fairness</DropdownMenuItem>
      <DropdownMenuItem onSelect={() => openHotkeys()}>Hotkeys</DropdownMenuItem>
      <DropdownMenuSeparator />
      <DropdownMenuItem asChild>
        <Link to="/settings">Settings</Link>
      </DropdownMenuItem>
      <DropdownMenuItem asChild>
        <Link to="/responsible-gaming">Responsible Gaming</Link>
      </DropdownMenuItem>
      <DropdownMenuItem onSelect={() => void logOut()}>Log out</DropdownMenuItem>
    </DropdownMenuContent>
  );
}
