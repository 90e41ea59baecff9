import { Badge } from "@/components/badge";
import { Percent } from "@/components/percent";
import type { GameDefinition } from "@/games/definition";
import { GamePicture } from "@/games/game-preview";
import { useGameStatuses } from "@/games/game-status";
import { Link } from "@/lib/address";
import { cn } from "@/lib/class-names";

/** The featured entries of the given games, in order. */
const featuredOf = (games: readonly GameDefinition[]) =>
  games
    .flatMap((game) => (game.featured ? [{ game, ...game.featured }] : []))
    .toSorted((one, other) => one.position - other.position);

/** The featured games as large moving pictures. */
export function FeaturedGames({ isSignedIn }: { isSignedIn: boolean }) {
  const { playable, statusOf } = useGameStatuses();
  return (
    <section aria-labelledby="games" className="border-t border-line py-12">
      <h2 id="games" className="display mb-6 text-28 font-bold">
        Featured games
      </h2>
      <ul className="grid gap-4 lg:grid-cols-12">
        {featuredOf(playable).map(({ game, tagline }, index) => (
          <FeaturedGame
            key={game.id}
            game={game}
            tagline={tagline}
            to={isSignedIn ? game.path : "/auth"}
            isPaused={statusOf(game) === "paused"}
            shape={SHAPES[index % SHAPES.length] ?? SHAPES[0]}
          />
        ))}
      </ul>
    </section>
  );
}

/** The cards differ in size: a wide and a narrow one side by side, then one across the page with its picture beside. */
const SHAPES = [
  { card: "lg:col-span-7", picture: "h-[200px] lg:h-[300px]" },
  { card: "lg:col-span-5", picture: "h-[200px] lg:h-[300px]" },
  { card: "lg:col-span-12 lg:grid-cols-[4fr_8fr] lg:items-center", picture: "h-[220px] lg:order-last lg:h-[340px]" },
] as const;

type FeaturedGameProps = {
  game: GameDefinition;
  tagline: string;
  to: string;
  isPaused: boolean;
  shape: (typeof SHAPES)[number];
};

function FeaturedGame({ game, tagline, to, isPaused, shape }: FeaturedGameProps) {
  return (
    <li className={cn("group relative grid overflow-hidden rounded-panel bg-panel hover:bg-raised", shape.card)}>
      <GamePicture game={game} className={shape.picture} />
      <div className="grid gap-2 p-5 lg:p-6">
        <h3 className="display text-28 font-bold">
          <Link to={to} className="inline-flex min-h-11 min-w-11 items-center after:absolute after:inset-0">
            {game.name}
          </Link>
          {isPaused && (
            <Badge tone="notice" className="ml-3 align-middle font-sans tracking-normal">
              Paused
            </Badge>
          )}
        </h3>
        <p className="max-w-[44ch] text-14 text-ink-2">{tagline}</p>
        <p className="text-14">
          <span className="text-ink-3">RTP </span>
          {/* Above the link, so that its full figure is shown on hover. */}
          <span className="relative z-10">
            <Percent exact={game.rtp.percent} />
          </span>{" "}
          <span className="text-ink-2">{game.rtp.scope}</span>
        </p>
      </div>
    </li>
  );
}
