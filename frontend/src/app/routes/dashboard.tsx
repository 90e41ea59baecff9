import { type ComponentType, Suspense } from "react";
import { useLocation, useParams, useSearchParams } from "@/lib/address";
import { useUser } from "@/api/session";
import type { CurrentUser } from "@/api/types";
import { LinkButton, PageHeader, Skeleton, Tabs, TabsContent, TabsList, TabsTrigger } from "@/components";
import { AccountCard, BalanceCard, GamesLobby } from "@/features/dashboard";
import { RecentActivity } from "@/features/history";
import { DepositList, FundsRule, WithdrawalList } from "@/features/wallet";
import { GAME_SCREENS, type GameScreen, shownGame } from "@/games/registry";
import { cn } from "@/lib/class-names";
import { lazyPart } from "@/lib/lazy-part";
import { useAppDialogs } from "../providers/dialogs";
import { useGamesInPlay } from "../providers/running-rounds";
import { PageSkeleton } from "../shell";
import { gameTable } from "./game";
import NotFoundPage from "./not-found";
import { PageFrame } from "./page-frame";
import { RunningLead } from "./running-lead";

/** By the last segment of their paths. */
const TABLES = new Map(
  GAME_SCREENS.map((screen) => [screen.path.slice(1), { screen, Tables: lazyPart(gameTable(screen)) }]),
);

type Table = { screen: GameScreen; Tables: ComponentType };

export default function DashboardPage() {
  const user = useUser();
  const { game } = useParams();
  const { isKnown: areRoundsKnown } = useGamesInPlay();
  // The guard shows something else when nobody is signed in.
  if (!user) return null;
  const table = game === undefined ? undefined : TABLES.get(game);
  if (game !== undefined && !table) return <NotFoundPage />;
  // A round in play comes first, so that nothing may be shown below it before it is known.
  if (!table && !areRoundsKnown) return <PageSkeleton />;
  return <Dashboard user={user} table={table} />;
}

function Dashboard({ user, table }: { user: CurrentUser; table: Table | undefined }) {
  const { openDeposit } = useAppDialogs();
  const rounds = useGamesInPlay();
  const [parameters, setParameters] = useSearchParams();
  const { hash } = useLocation();
  const endedRoundId = rounds.ended?.round.roundId ?? null;
  const welcome = `Welcome, ${user.username}`;
  const cards = (
    <div className="grid gap-4 lg:grid-cols-[5fr_7fr]">
      <BalanceCard user={user} onDeposit={openDeposit} />
      <RecentActivity endedRoundId={endedRoundId} />
    </div>
  );
  const tab = parameters.get("tab") === "account" ? "account" : "games";
  function showTab(next: string) {
    setParameters(next === "account" ? { tab: next } : {}, { replace: true });
  }
  return (
    <PageFrame>
      {table === undefined ? (
        <PageHeader title={welcome} />
      ) : (
        <PageHeader isGame title={shownGame(table.screen, hash).title} kicker={welcome} />
      )}
      {table === undefined && (
        <>
          <RunningLead />
          {cards}
        </>
      )}
      <Tabs value={tab} onValueChange={showTab} className="grid gap-4">
        <TabsList className="w-full max-w-[320px]">
          <TabsTrigger value="games">Games</TabsTrigger>
          <TabsTrigger value="account">Account</TabsTrigger>
        </TabsList>
        {/* On a phone a selected game needs all the room between the header and the dock. */}
        <TabsContent value="games" className={cn("grid gap-4", table !== undefined && "max-lg:-order-1")}>
          {table === undefined ? (
            <GamesLobby userId={user.id} open={rounds.open} inPlay={rounds.games} endedRoundId={endedRoundId} />
          ) : (
            <SelectedGame table={table} />
          )}
        </TabsContent>
        <TabsContent value="account">
          <Account user={user} />
        </TabsContent>
      </Tabs>
      {/* A selected game comes before them. */}
      {table !== undefined && cards}
    </PageFrame>
  );
}

function Account({ user }: { user: CurrentUser }) {
  const { openDeposit, openWithdraw, reopenDeposit } = useAppDialogs();
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[7fr_5fr]">
      <AccountCard user={user} onDeposit={openDeposit} onWithdraw={openWithdraw} />
      <FundsRule />
      <div className="grid gap-4 lg:col-span-2">
        <DepositList onReopen={reopenDeposit} />
        <WithdrawalList />
      </div>
    </div>
  );
}

function SelectedGame({ table: { Tables } }: { table: Table }) {
  return (
    <>
      <LinkButton to="/dashboard" variant="ghost" size="small" className="justify-self-start max-lg:order-last">
        Back to Games
      </LinkButton>
      <Suspense fallback={<Skeleton className="h-[440px]" />}>
        <Tables />
      </Suspense>
    </>
  );
}
