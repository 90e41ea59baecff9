import type { ComponentType } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { Badge, PageHeader, Skeleton, Tabs, TabsContent, TabsList, TabsTrigger } from "@/components";
import type { GameDefinition, GamePage } from "@/games/definition";
import { useGameStatuses } from "@/games/game-status";
import { type GameScreen, hashOf, shownGame } from "@/games/registry";
import { useAppDialogs } from "../providers/dialogs";
import { useGamesInPlay } from "../providers/running-rounds";
import { useShownGames } from "../shown-games";
import { GameNote } from "./game-note";
import { PageFrame } from "./page-frame";

type Loaded = { game: GameDefinition; page: GamePage };
type LoadedScreen = { screen: GameScreen; games: readonly Loaded[] };
type Load = () => Promise<{ default: ComponentType }>;

/** All games of a screen at once, so that switching between them is instant. */
async function load(screen: GameScreen): Promise<LoadedScreen> {
  const games = await Promise.all(screen.games.map(async (game) => ({ game, ...(await game.loadPage()) })));
  return { screen, games };
}

/** The page of a game, or of those that share one. */
export const gamePage =
  (screen: GameScreen): Load =>
  async () => {
    const loaded = await load(screen);
    return { default: () => <Shown {...loaded} as={WholePage} /> };
  };

/** The game alone, for a page with other content around it. */
export const gameTable =
  (screen: GameScreen): Load =>
  async () => {
    const loaded = await load(screen);
    return { default: () => <Shown {...loaded} as={GameTables} /> };
  };

/**
 * The playable games of a screen. If all of them are only announced, redirects to the announcements once it is known
 * that no round is in play there.
 */
function Shown({ screen, games, as: View }: LoadedScreen & { as: ComponentType<LoadedScreen> }) {
  const { isKnown } = useGameStatuses();
  const rounds = useGamesInPlay();
  const shown = useShownGames();
  const [first, ...others] = screen.games.filter((game) => shown.includes(game));
  if (first)
    return (
      <View
        screen={{ ...screen, games: [first, ...others] }}
        games={games.filter(({ game }) => shown.includes(game))}
      />
    );
  return isKnown && rounds.isKnown ? <Navigate to="/coming-soon" replace /> : <Skeleton className="m-4 h-[420px]" />;
}

/** Explains why no round can be started. */
function PausedNote({ game }: { game: GameDefinition }) {
  return (
    <p
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-panel border border-line bg-panel px-4 py-3 text-14"
    >
      <Badge tone="notice">Paused</Badge>
      {game.name} is not accepting new rounds at the moment. A round in play can be finished.
    </p>
  );
}

function WholePage({ screen, games }: LoadedScreen) {
  const game = shownGame(screen, useLocation().hash);
  const page = games.find((loaded) => loaded.game === game)?.page;
  if (!page) return null;
  const { note, backTo, Actions, About } = page;
  return (
    <PageFrame>
      <PageHeader
        isGame
        title={game.title}
        subtitle={note}
        {...(backTo ? { backTo } : {})}
        {...(Actions ? { actions: <Actions /> } : {})}
      />
      <GameTables screen={screen} games={games} />
      <GameNote>{note}</GameNote>
      {About && <About />}
    </PageFrame>
  );
}

/** One game at a time: games that share a page have their main action in the same place. */
function GameTables({ screen, games }: LoadedScreen) {
  const { openFairness } = useAppDialogs();
  const navigate = useNavigate();
  const shown = shownGame(screen, useLocation().hash);
  const { statusOf } = useGameStatuses();
  const table = ({ game, page: { Game } }: Loaded) => {
    const isPaused = statusOf(game) !== "open";
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:gap-4">
        {isPaused && <PausedNote game={game} />}
        <Game isPaused={isPaused} onVerifyRound={openFairness} onOpenFairness={() => openFairness()} />
      </div>
    );
  };
  const [first, ...others] = games;
  if (first && others.length === 0) return table(first);
  function show(id: string) {
    const next = screen.games.find((game) => game.id === id);
    if (next) void navigate({ hash: hashOf(next) }, { replace: true });
  }
  return (
    <Tabs value={shown.id} onValueChange={show} className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:gap-4">
      <TabsList className="w-full max-w-[320px]">
        {games.map(({ game }) => (
          <TabsTrigger key={game.id} value={game.id}>
            {game.tabLabel}
          </TabsTrigger>
        ))}
      </TabsList>
      {games.map((loaded) => (
        <TabsContent key={loaded.game.id} value={loaded.game.id}>
          {table(loaded)}
        </TabsContent>
      ))}
    </Tabs>
  );
}
