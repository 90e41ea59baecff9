// An overview of the house.

import { RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/lib/address";
import useSWR, { useSWRConfig } from "swr";
import { Badge, Button, EmptyState, Panel } from "@/components";
import { Ago } from "@/components/ago";
import { gameTypeLabel } from "@/games/registry";
import { cn } from "@/lib/class-names";
import { counted } from "@/lib/format";
import { centsOf, formatDollars } from "@/lib/money";
import { type AdminSummary, type AdminUser, fetchNewestUsers, fetchSummary } from "../api/admin";
import { userAddress, UserBadge } from "../lists/cells";
import { Loaded } from "../lists/loaded";
import { signedDollars } from "../lists/wording";
import { HouseReport } from "../reports/house-report";

const RECENT_USERS = 5;
const number = (value: number) => value.toLocaleString("en-US");

export default function DashboardTab() {
  const { mutate } = useSWRConfig();
  const summary = useSWR(["admin", "summary"], fetchSummary);
  const users = useSWR(["admin", "newest-users"], () => fetchNewestUsers(RECENT_USERS));
  const refresh = () => void mutate((key) => Array.isArray(key) && key[0] === "admin");
  return (
    <div className="grid gap-4">
      {summary.data === undefined ? (
        <Panel>
          <Loaded state={summary} what="the summary">
            {() => null}
          </Loaded>
        </Panel>
      ) : (
        <SummaryCards summary={summary.data} onRefresh={refresh} isLoading={summary.isValidating} />
      )}
      <div className="grid gap-4 xl:grid-cols-2">
        <Panel
          title="Recent Users"
          actions={
            <Link
              to="/admin?tab=users"
              className="target -my-3 inline-flex items-center text-13 text-ink-2 underline underline-offset-4 hover:text-ink"
            >
              All users
            </Link>
          }
        >
          <Loaded state={users} what="recent users">
            {(data) => <RecentUsers users={data} />}
          </Loaded>
        </Panel>
        <Panel title="Game Distribution">
          <Loaded state={summary} what="the summary">
            {(data) => <GameDistribution games={data.games} />}
          </Loaded>
        </Panel>
      </div>
      <HouseReport />
    </div>
  );
}

type SummaryCardsProps = { summary: AdminSummary; onRefresh(): void; isLoading: boolean };

function SummaryCards({ summary, onRefresh, isLoading }: SummaryCardsProps) {
  const profitCents = centsOf(summary.houseProfit);
  return (
    <section aria-label="The house at a glance" className="rounded-panel bg-panel p-5">
      <div className="flex flex-wrap justify-between gap-4">
        <dl className="grid flex-1 gap-x-6 gap-y-5 sm:grid-cols-3 sm:divide-x sm:divide-line">
          <Card name="Users" value={number(summary.users)} note={`${number(summary.bannedUsers)} banned`} />
          <Card
            name="Total Games"
            value={number(summary.totalGames)}
            note={`${counted(summary.wins, "win")}, ${counted(summary.losses, "loss", "losses")}`}
            className="sm:pl-6"
          />
          <Card
            name="House P/L"
            value={
              <span className={profitCents > 0 ? "text-win" : profitCents < 0 ? "text-loss" : undefined}>
                {signedDollars(profitCents)}
              </span>
            }
            note={
              <Link
                to="/admin?tab=withdrawals"
                className="underline decoration-line underline-offset-4 hover:decoration-current"
              >
                {counted(summary.pendingWithdrawals, "pending withdrawal")} (
                {formatDollars(centsOf(summary.pendingWithdrawalAmount))})
              </Link>
            }
            className="sm:pl-6"
          />
        </dl>
        <Button
          size="small"
          className="self-start max-sm:w-full"
          onClick={onRefresh}
          aria-label="Refresh the dashboard"
          aria-busy={isLoading || undefined}
        >
          <RefreshCw aria-hidden className={cn("size-4", isLoading && "animate-spin")} />
          Refresh
        </Button>
      </div>
      {summary.openReviews > 0 && (
        <p className="mt-5 border-t border-line pt-4 text-14">
          <Badge className="mr-3 text-brass">Needs attention</Badge>
          <Link
            to="/admin?tab=payments"
            className="underline decoration-line underline-offset-4 hover:decoration-current"
          >
            {counted(summary.openReviews, "payment needs", "payments need")} review
          </Link>
        </p>
      )}
    </section>
  );
}

function Card({
  name,
  value,
  note,
  className,
}: {
  name: string;
  value: ReactNode;
  note: ReactNode;
  className?: string;
}) {
  return (
    <div className={cn("grid content-start gap-1", className)}>
      <dt className="text-13 text-ink-3">{name}</dt>
      <dd className="display text-28 font-bold">{value}</dd>
      <dd className="text-13 text-ink-2">{note}</dd>
    </div>
  );
}

function RecentUsers({ users }: { users: readonly AdminUser[] }) {
  if (users.length === 0) return <EmptyState title="No users found" />;
  return (
    <ul className="divide-y divide-line">
      {users.slice(0, RECENT_USERS).map((user) => (
        <li key={user.id} className="flex items-center justify-between gap-4 py-2.5 first:pt-0 last:pb-0">
          <div className="min-w-0">
            <Link
              to={userAddress(user.id)}
              className="break-all font-medium underline decoration-line underline-offset-4 hover:decoration-current"
            >
              {user.username}
            </Link>
            <p className="text-12">
              <Ago iso={user.createdAt} />
            </p>
          </div>
          <div className="flex items-center gap-3">
            {formatDollars(centsOf(user.balance))}
            <UserBadge status={user.status} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function GameDistribution({ games }: { games: AdminSummary["games"] }) {
  return (
    <ul className="grid gap-5">
      {games.map(({ gameType, count, percent }) => (
        <li key={gameType} className="grid gap-1.5">
          <p className="flex justify-between gap-4">
            <span className="font-medium">{gameTypeLabel(gameType)}</span>
            <span className="text-ink-2">
              {number(count)} ({percent.toFixed(1)}%)
            </span>
          </p>
          <svg aria-hidden className="h-2 w-full overflow-hidden rounded-chip bg-well">
            <rect width={`${percent}%`} height="100%" className="fill-control" />
          </svg>
        </li>
      ))}
    </ul>
  );
}
