import type { GameDefinition } from "@/games/definition";
import type { LastRounds } from "./last-rounds";

export type TileFilter = "all" | "favourites" | "recent";

/** The games with a card in the lobby, in its order. */
export const lobbyOf = (games: readonly GameDefinition[]): readonly GameDefinition[] =>
  games
    .filter(({ lobby }) => lobby !== undefined)
    .toSorted((one, other) => (one.lobby?.position ?? 0) - (other.lobby?.position ?? 0));

type Known = { favourites: ReadonlySet<string>; lastRounds: LastRounds };

/**
 * The tiles that a filter shows. Favourites come first, and otherwise the lobby's order stays; the recent ones are
 * sorted by the player's last round, newest first.
 */
export function tilesOf(
  games: readonly GameDefinition[],
  filter: TileFilter,
  { favourites, lastRounds }: Known,
): readonly GameDefinition[] {
  const tiles = lobbyOf(games);
  if (filter === "recent") {
    const playedAt = ({ id }: GameDefinition): number => Date.parse(lastRounds.get(id)?.createdAt ?? "");
    return tiles.filter(({ id }) => lastRounds.has(id)).toSorted((one, other) => playedAt(other) - playedAt(one));
  }
  const favourite = tiles.filter(({ id }) => favourites.has(id));
  return filter === "favourites" ? favourite : [...favourite, ...tiles.filter(({ id }) => !favourites.has(id))];
}
