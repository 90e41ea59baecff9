import type { GameDefinition } from "@/games/definition";
import { useGameStatuses } from "@/games/game-status";
import { GAMES } from "@/games/registry";
import type { Place } from "./navigation";
import { useGamesInPlay } from "./providers/running-rounds";

/**
 * The games listed in the menus: open and paused ones, and a withdrawn one while the player has a round to finish in
 * it.
 */
export function useShownGames(): readonly GameDefinition[] {
  const { statusOf } = useGameStatuses();
  const { games } = useGamesInPlay();
  return GAMES.filter((game) => statusOf(game) !== "announced" || games.has(game));
}

/** Whether all games of an entry are paused. */
export function useIsPaused({ games }: Place): boolean {
  const { statusOf } = useGameStatuses();
  return games?.every((game) => statusOf(game) === "paused") ?? false;
}
