import { type ComponentType, type ReactNode, Suspense, useEffect } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Navigate, useLocation, useNavigate } from "@/lib/address";
import { useHouse } from "@/api/house";
import { useUser } from "@/api/session";
import { Badge, PageHeader, Skeleton, Tabs, TabsContent, TabsList, TabsTrigger } from "@/components";
import type { GameDefinition, GamePage } from "@/games/definition";
import { useGameStatuses } from "@/games/game-status";
import { type GameScreen, hashOf, shownGame } from "@/games/registry";
import { whenIdle } from "@/lib/idle";
import { lazyPart, renewParts } from "@/lib/lazy-part";
import { useAppDialogs } from "../providers/dialogs";
import { useGamesInPlay } from "../providers/running-rounds";
import { useShownGames } from "../shown-games";
import { GameNote } from "./game-note";
import { PageFrame } from "./page-frame";

/** Shows something of a game's page, which may have to be loaded first. */
type PagePart = ComponentType<{ children: (page: GamePage) => ReactNode }>;
type Loaded = { game: GameDefinition; Page: PagePart };
type LoadedScreen = { screen: GameScreen; games: readonly Loaded[] };
type Load = () => Promise<{ default: ComponentType }>;

const partOf =
  (page: GamePage): PagePart =>
  ({ children }) =>
    children(page);

/** The game that the address selects; the others of its screen are loaded when they are shown or the browser is idle. */
async function load(screen: GameScreen): Promise<LoadedScreen> {
  const selected = shownGame(screen, window.location.hash);
  const { page } = await selected.loadPage();
  const games = screen.games.map((game): Loaded => ({
    game,
    Page: game === selected ? partOf(page) : lazyPart(async () => ({ default: partOf((await game.loadPage()).page) })),
  }));
  return { screen, games };
}

/** Loads the other games of a screen, so that switching to them is instant. */
function useLoadedWhenIdle(games: readonly Loaded[]): void {
  useEffect(
    () =>
      whenIdle(() => {
        // What could not be loaded is loaded again when it is shown.
        for (const { game } of games) void game.loadPage().catch(() => undefined);
      }),
    [games],
  );
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
  useLoadedWhenIdle(games);
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
  const Page = games.find((loaded) => loaded.game === game)?.Page;
  if (!Page) return null;
  return (
    <PageFrame>
      <Suspense fallback={<PageHeader isGame title={game.title} />}>
        <Page>
          {({ note, backTo, Actions }) => (
            <PageHeader
              isGame
              title={game.title}
              subtitle={note}
              {...(backTo ? { backTo } : {})}
              {...(Actions ? { actions: <Actions /> } : {})}
            />
          )}
        </Page>
      </Suspense>
      <GameTables screen={screen} games={games} />
      <Suspense>
        <Page>
          {({ note, About }) => (
            <>
              <GameNote>{note}</GameNote>
              {About && (
                // The game goes on without it.
                <ErrorBoundary fallback={null} onError={renewParts}>
                  <Suspense>
                    <About />
                  </Suspense>
                </ErrorBoundary>
              )}
            </>
          )}
        </Page>
      </Suspense>
    </PageFrame>
  );
}

/** One game at a time: games that share a page have their main action in the same place. */
function GameTables({ screen, games }: LoadedScreen) {
  const { openFairness } = useAppDialogs();
  const navigate = useNavigate();
  const shown = shownGame(screen, useLocation().hash);
  const { statusOf } = useGameStatuses();
  const user = useUser();
  const { maintenance } = useHouse();
  const table = ({ game, Page }: Loaded) => {
    const isPaused = statusOf(game) !== "open";
    // The reason of all others is above the header.
    const others = maintenance
      ? "Maintenance"
      : user?.excludedUntil
        ? "Excluded"
        : user?.isBettingBlocked
          ? "Blocked"
          : "";
    const closed = isPaused ? "Paused" : others;
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:gap-4">
        {isPaused && <PausedNote game={game} />}
        <Suspense fallback={<Skeleton className="h-[420px]" />}>
          <Page>
            {({ Game }) => <Game closed={closed} onVerifyRound={openFairness} onOpenFairness={() => openFairness()} />}
          </Page>
        </Suspense>
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
