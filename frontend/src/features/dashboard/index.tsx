import { Link } from "react-router-dom";
import type { CurrentUser } from "@/api/types";
import { Amount, Badge, Button, Panel, Stat } from "@/components";
import type { GameDefinition } from "@/games/definition";
import { useGameStatuses } from "@/games/game-status";
import { formatDate } from "@/lib/format";
import { centsOf } from "@/lib/money";

type WalletActions = { onDeposit(): void; onWithdraw(): void };

export function BalanceCard({ user, onDeposit }: { user: CurrentUser; onDeposit(): void }) {
  return (
    <Panel title="Balance">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <Amount cents={centsOf(user.balance)} className="display text-40 font-bold" />
        {/* The primary one is in the header. */}
        <Button onClick={onDeposit}>Deposit</Button>
      </div>
    </Panel>
  );
}

/** The lobby entries of the given games, in order. */
const popularOf = (games: readonly GameDefinition[]) =>
  games
    .flatMap((game) => (game.lobby ? [{ game, ...game.lobby }] : []))
    .toSorted((one, other) => one.position - other.position);

/** The cards of the games. */
export function GamesLobby() {
  const { playable, announced, statusOf } = useGameStatuses();
  return (
    <div className="grid gap-6">
      <Panel title="Popular Games">
        <ul className="divide-y divide-line">
          {popularOf(playable).map(({ game, tagline }) => (
            <li key={game.id} className="flex items-center justify-between gap-4 py-3 first:pt-0 last:pb-0">
              <div>
                <p className="flex items-center gap-3 text-16 font-semibold">
                  {game.name}
                  {statusOf(game) === "paused" && <Badge tone="notice">Paused</Badge>}
                </p>
                <p className="text-14 text-ink-2">{tagline}</p>
              </div>
              <Button asChild size="small">
                <Link to={`/dashboard${game.path}`} aria-label={`Play Now: ${game.name}`}>
                  Play Now
                </Link>
              </Button>
            </li>
          ))}
        </ul>
      </Panel>
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
    </div>
  );
}

/** The player's username and balance. */
export function AccountCard({ user, onDeposit, onWithdraw }: { user: CurrentUser } & WalletActions) {
  return (
    <Panel title="Account">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 md:grid-cols-3">
        <Stat label="Username" value={user.username} />
        <Stat label="Account ID" value={user.id} />
        <Stat label="Member since" value={formatDate(user.createdAt)} />
        <Stat label="Current balance" value={<Amount cents={centsOf(user.balance)} />} />
        <Stat label="Total balance" value={<Amount cents={centsOf(user.balance)} />} />
        <Stat label="Available to withdraw" value={<Amount cents={centsOf(user.availableToWithdraw)} />} />
      </dl>
      <p className="mt-5 text-14 text-ink-2">
        The current balance is what you can bet with. Withdrawals are deducted as soon as they are requested and bets as
        soon as they are placed, so it is also the total balance.
      </p>
      <p className="mt-2 text-14 text-ink-2">
        Deposited funds must be wagered before they become withdrawable. Winnings do not have to be wagered.
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button onClick={onDeposit}>Deposit Crypto</Button>
        <Button onClick={onWithdraw}>Withdraw Crypto</Button>
      </div>
    </Panel>
  );
}
