import { Suspense } from "react";
import { useParams, useSearchParams } from "react-router-dom";
import { useAppDialogs } from "@/app/dialogs";
import { useUser } from "@/api/session";
import type { CurrentUser } from "@/api/types";
import { LinkButton, PageHeader, Skeleton, Tabs, TabsContent, TabsList, TabsTrigger } from "@/components";
import { AccountCard, BalanceCard, GamesLobby } from "@/features/dashboard";
import { RecentActivity } from "@/features/history";
import { DepositList, FundsRule, WithdrawalList } from "@/features/wallet";
import { lazyPart } from "@/lib/lazy-part";
import NotFoundPage from "./NotFoundPage";
import { PageFrame } from "./page-frame";
import { usePokerTable } from "./use-poker-table";

const DiceGame = lazyPart(() => import("@/features/dice").then((module) => ({ default: module.DiceGame })));
const CrashGame = lazyPart(() => import("@/features/crash").then((module) => ({ default: module.CrashGame })));
const StonksGame = lazyPart(() => import("@/features/stonks").then((module) => ({ default: module.StonksGame })));
const PokerTables = lazyPart(() => import("./poker-tables"));
const TITLES = { dice: "Dice", crash: "Crash", stonks: "Stonks", poker: "Jacks or Better Video Poker" } as const;
const GAMES = { dice: DiceGame, crash: CrashGame, stonks: StonksGame, poker: PokerTables } as const;

type GameName = keyof typeof GAMES;

const isGame = (game: string): game is GameName => Object.hasOwn(GAMES, game);

export default function DashboardPage() {
  const user = useUser();
  const { game } = useParams();
  // The guard shows something else where nobody is signed in any more.
  if (!user) return null;
  if (game !== undefined && !isGame(game)) return <NotFoundPage />;
  return <Dashboard user={user} game={game} />;
}

function Dashboard({ user, game }: { user: CurrentUser; game: GameName | undefined }) {
  const { openDeposit } = useAppDialogs();
  const [parameters, setParameters] = useSearchParams();
  const isHeadsUp = usePokerTable() === "heads-up";
  const welcome = `Welcome, ${user.username}`;
  const cards = (
    <div className="grid gap-4 lg:grid-cols-[5fr_7fr]">
      <BalanceCard user={user} onDeposit={openDeposit} />
      <RecentActivity />
    </div>
  );
  const tab = parameters.get("tab") === "account" ? "account" : "games";
  function showTab(next: string) {
    setParameters(next === "account" ? { tab: next } : {}, { replace: true });
  }
  return (
    <PageFrame>
      {game === undefined ? (
        <PageHeader title={welcome} />
      ) : (
        <PageHeader isGame title={game === "poker" && isHeadsUp ? "Heads-up Hold'em" : TITLES[game]} kicker={welcome} />
      )}
      {game === undefined && cards}
      <Tabs value={tab} onValueChange={showTab} className="grid gap-4">
        <TabsList className="w-full max-w-[320px]">
          <TabsTrigger value="games">Games</TabsTrigger>
          <TabsTrigger value="account">Account</TabsTrigger>
        </TabsList>
        <TabsContent value="games" className="grid gap-4">
          {game === undefined ? <GamesLobby /> : <SelectedGame game={game} />}
        </TabsContent>
        <TabsContent value="account">
          <Account user={user} />
        </TabsContent>
      </Tabs>
      {/* A selected game comes before them. */}
      {game !== undefined && cards}
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

function SelectedGame({ game }: { game: GameName }) {
  const { openFairness } = useAppDialogs();
  const Game = GAMES[game];
  return (
    <>
      <LinkButton to="/dashboard" variant="ghost" size="small" className="justify-self-start">
        Back to Games
      </LinkButton>
      <Suspense fallback={<Skeleton className="h-[440px]" />}>
        <Game onVerifyRound={openFairness} onOpenFairness={() => openFairness()} />
      </Suspense>
    </>
  );
}
