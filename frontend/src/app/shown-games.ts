import type { GameDefinition } from "@/games/definition";
import { useGameStatuses } from "@/games/game-status";
import { GAMES } from "@/games/registry";
import type { Place } from "./navigation";
import { useGamesInPlay } from "./providers/running-rounds";

/**
 * The games that the menus lead to: those that are open or paused, and one that was taken back while the player has a
 * round in it, which is to be finished.
 */
export function useShownGames(): readonly GameDefinition[] {
  const { statusOf } = useGameStatuses();
  const { games } = useGamesInPlay();
  return GAMES.filter((game) => statusOf(game) !== "announced" || games.has(game));
}

/** Whether every game of an entry is paused. */
export function useIsPaused({ games }: Place): boolean {
  const { statusOf } = useGameStatuses();
  return games?.every((game) => statusOf(game) === "paused") ?? false;
}
