import { type ReactNode, useId, useMemo, useState } from "react";
import { Link } from "@/lib/address";
import { Badge } from "@/components/badge";
import { Panel } from "@/components/panel";
import { SegmentedControl } from "@/components/segmented-control";
import { EmptyState, ErrorState } from "@/components/states";
import type { GameDefinition } from "@/games/definition";
import { useAnnouncedGames } from "@/games/announced";
import { useGameStatuses } from "@/games/game-status";
import type { OpenRounds } from "@/games/rounds/api";
import { useFavourites } from "./favourites";
import { GameTile } from "./game-tile";
import { type LastRounds, useLastRounds } from "./last-rounds";
import { lobbyOf, type TileFilter, tilesOf } from "./tile-order";

type GamesLobbyProps = {
  userId: number;
  /** The player's rounds in play, and the games they are of. */
  open: OpenRounds | null;
  inPlay: ReadonlySet<GameDefinition>;
  /** The round that ended while the lobby was shown; null if none did. */
  endedRoundId: number | null;
};

/** The games as tiles, and those to come. */
export function GamesLobby(props: GamesLobbyProps) {
  return (
    <div className="grid gap-6">
      {/* Each player has their own favourites. */}
      <PopularGames key={props.userId} {...props} />
      <ComingSoon />
    </div>
  );
}

const NONE: LastRounds = new Map();
const FILTERS: { value: TileFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "favourites", label: "Favourites" },
  { value: "recent", label: "Recent" },
];

function PopularGames({ userId, open, inPlay, endedRoundId }: GamesLobbyProps) {
  const id = useId();
  const { playable, statusOf } = useGameStatuses();
  const games = useMemo(() => lobbyOf(playable), [playable]);
  const { lastRounds, hasFailed, reload } = useLastRounds(games, endedRoundId);
  const favourites = useFavourites(userId);
  const [filter, setFilter] = useState<TileFilter>("all");
  // The order changes only when another filter is chosen: a tile never moves away from the pointer that starred it.
  const [first, setFirst] = useState(favourites.ids);
  const tiles = tilesOf(games, filter, { favourites: first, lastRounds: lastRounds ?? NONE });
  function show(next: TileFilter) {
    setFilter(next);
    setFirst(favourites.ids);
  }
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="display text-28 font-bold">
          Popular Games
        </h2>
        {/* Wide enough for three times the longest label. */}
        <div className="w-[300px]">
          <SegmentedControl label="Games to show" value={filter} onValueChange={show} options={FILTERS} />
        </div>
      </div>
      {hasFailed && <ErrorState title="Your last rounds could not be loaded" onRetry={reload} />}
      {tiles.length > 0 && (
        <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3">
          {tiles.map((game) => (
            <GameTile
              key={game.id}
              game={game}
              status={statusOf(game)}
              open={open}
              isInPlay={inPlay.has(game)}
              lastRound={lastRounds === undefined ? undefined : (lastRounds.get(game.id) ?? null)}
              isFavourite={favourites.ids.has(game.id)}
              onToggleFavourite={() => favourites.toggle(game.id)}
            />
          ))}
        </ul>
      )}
      {tiles.length === 0 && <NothingToShow filter={filter} isLoading={lastRounds === undefined && !hasFailed} />}
    </section>
  );
}

function NothingToShow({ filter, isLoading }: { filter: TileFilter; isLoading: boolean }): ReactNode {
  if (filter === "favourites")
    return <EmptyState title="No favourites yet">Press the star of a game, and it comes first.</EmptyState>;
  if (filter === "recent" && !isLoading)
    return <EmptyState title="Not played yet">The games that you play appear here, the latest first.</EmptyState>;
  return null;
}

function ComingSoon() {
  const announced = useAnnouncedGames();
  return (
    <Panel title="Coming Soon">
      <ul className="flex flex-wrap gap-3">
        {announced
          .filter(({ isInMenu }) => isInMenu)
          .map(({ id, name }) => (
            <li key={id}>
              <Link
                to="/coming-soon"
                className="flex min-h-[44px] items-center gap-3 rounded-control bg-raised px-4 text-14 hover:bg-line"
              >
                {name}
                <Badge>Coming Soon</Badge>
              </Link>
            </li>
          ))}
      </ul>
    </Panel>
  );
}
