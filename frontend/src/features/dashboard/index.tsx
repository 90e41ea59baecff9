import type { CurrentUser } from "@/api/types";
import { Amount, Button, Panel, Stat } from "@/components";
import { formatDate } from "@/lib/format";
import { centsOf } from "@/lib/money";

export { GamesLobby } from "./lobby";

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
