import { Star } from "lucide-react";
import { Link } from "@/lib/address";
import { Amount } from "@/components/amount";
import { Badge } from "@/components/badge";
import { Button } from "@/components/button";
import { Percent } from "@/components/percent";
import { Skeleton } from "@/components/spinner";
import type { GameDefinition, GameStatus } from "@/games/definition";
import { GamePicture } from "@/games/game-preview";
import type { GameHistoryEntry, OpenRounds } from "@/games/rounds/api";
import { cn } from "@/lib/class-names";
import { centsOf, formatWire } from "@/lib/money";

export type GameTileProps = {
  game: GameDefinition;
  status: GameStatus;
  /** The player's rounds in play. */
  open: OpenRounds | null;
  isInPlay: boolean;
  /** Null if the game has not been played; undefined while loading. */
  lastRound: GameHistoryEntry | null | undefined;
  isFavourite: boolean;
  onToggleFavourite(): void;
};

/** A game of the lobby: its picture, its return, the player's last round and one link that covers the tile. */
export function GameTile({ game, status, open, isInPlay, lastRound, isFavourite, onToggleFavourite }: GameTileProps) {
  const isPaused = status === "paused";
  return (
    <li className="group relative grid grid-rows-[auto_1fr] overflow-hidden rounded-panel bg-panel transition-colors duration-[120ms] focus-within:bg-raised hover:bg-raised">
      <GamePicture
        game={game}
        open={open}
        className={cn("aspect-[16/9] max-sm:aspect-[4/3]", isPaused && !isInPlay && "opacity-55")}
      />
      <FavouriteButton name={game.name} isFavourite={isFavourite} onToggle={onToggleFavourite} />
      <div className="grid content-between gap-3 p-4 max-sm:p-3">
        <div className="grid gap-1">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <h3 className="display text-20 font-bold max-sm:text-16">{game.name}</h3>
            {/* Above the link, so that the full figure is shown on hover. */}
            <p className="relative z-10 text-12 text-ink-3">
              RTP <Percent exact={game.rtp.percent} />
            </p>
          </div>
          <p className="text-14 text-ink-2 max-sm:hidden">{game.lobby?.tagline}</p>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          {/* Room for two lines on a phone, so that nothing moves when they are known. */}
          <div className="max-sm:min-h-9">
            <LastRound round={lastRound} />
          </div>
          <span className="flex items-center gap-2 max-sm:w-full">
            {isPaused && <Badge tone="notice">Paused</Badge>}
            <TileLink game={game} isInPlay={isInPlay} />
          </span>
        </div>
      </div>
    </li>
  );
}

/** The tile's only link; its area is the whole tile. */
function TileLink({ game, isInPlay }: { game: GameDefinition; isInPlay: boolean }) {
  const label = isInPlay ? "Continue" : "Play Now";
  return (
    <Button
      asChild
      size="small"
      className={cn("after:absolute after:inset-0 max-sm:flex-1", isInPlay && "!border-brass !text-brass")}
    >
      <Link to={isInPlay ? game.path : `/dashboard${game.path}`} aria-label={`${label}: ${game.name}`}>
        {label}
      </Link>
    </Button>
  );
}

function LastRound({ round }: { round: GameHistoryEntry | null | undefined }) {
  if (round === undefined) return <Skeleton className="h-[18px] w-32" />;
  if (round === null) return <p className="text-13 text-ink-3">Not played yet</p>;
  return (
    <p className="text-13 text-ink-2">
      Your last: <Amount cents={centsOf(round.profit)} signed className="font-semibold" /> on{" "}
      {formatWire(round.betAmount)}
    </p>
  );
}

type FavouriteButtonProps = { name: string; isFavourite: boolean; onToggle(): void };

function FavouriteButton({ name, isFavourite, onToggle }: FavouriteButtonProps) {
  return (
    <button
      type="button"
      aria-label={`Favourite: ${name}`}
      aria-pressed={isFavourite}
      title={isFavourite ? "Remove from your favourites" : "Add to your favourites"}
      onClick={onToggle}
      className={cn(
        "absolute right-1 top-1 z-10 grid size-11 place-items-center rounded-control bg-well/75 hover:bg-raised",
        isFavourite ? "text-brass" : "text-ink-3 hover:text-ink",
      )}
    >
      <Star aria-hidden className={cn("size-5", isFavourite && "fill-current")} />
    </button>
  );
}
