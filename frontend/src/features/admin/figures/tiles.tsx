// What the house owes, what it holds against that, and what moved.

import { CircleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Amount, Button, Panel, Stat, Table, TableCell, TableHead } from "@/components";
import { centsOf, formatWire } from "@/lib/money";
import { formatZoned } from "@/lib/zoned-time";
import { Loaded } from "../lists/loaded";
import { signedDollars } from "../lists/wording";
import type { BalanceAtProvider, Figures, ProviderCoin } from "./api";
import { coverOf } from "./cover";

/** What the house has won, in colour. */
const won = (wire: string) => <Amount cents={centsOf(wire)} signed />;

export function Liabilities({ liabilities }: { liabilities: Figures["liabilities"] }) {
  const { total, balances, openStakes, pendingWithdrawals, approvedWithdrawals } = liabilities;
  return (
    <Panel title="Liabilities Now">
      <p className="display text-28 font-bold">{formatWire(total)}</p>
      <p className="mb-4 text-13 text-ink-2">What the house owes its players</p>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4">
        <Stat label="Balances" value={formatWire(balances)} />
        <Stat label="Open stakes" value={formatWire(openStakes)} hint="Of rounds in play" />
        <Stat label="Pending withdrawals" value={formatWire(pendingWithdrawals)} hint="Not decided yet" />
        <Stat label="Approved withdrawals" value={formatWire(approvedWithdrawals)} hint="Not arrived, or failed" />
      </dl>
    </Panel>
  );
}

type ProviderProps = {
  state: { data: BalanceAtProvider | undefined; error?: unknown; mutate(): Promise<unknown> };
  owedCents: number;
};

export function ProviderPanel({ state, owedCents }: ProviderProps) {
  return (
    <Panel title="Balance at the Provider">
      <Loaded state={state} what="the balance at the provider">
        {({ balance, problem }) => (
          <div className="grid gap-4">
            {balance === null ? (
              <p className="text-16 font-semibold">Not available</p>
            ) : (
              <Cover balance={balance} owedCents={owedCents} />
            )}
            {problem !== null && (
              <Warning>
                The provider could not be asked: {problem}.
                {balance !== null && " The balance is the last one that is known."}
              </Warning>
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 text-14 text-notice">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

type Balance = NonNullable<BalanceAtProvider["balance"]>;

function Cover({ balance, owedCents }: { balance: Balance; owedCents: number }) {
  const [isShown, setShown] = useState(false);
  const { total, takenAt, isComplete, coins } = balance;
  const { ratio, warning } = coverOf(centsOf(total), owedCents);
  return (
    <div>
      <p className="display text-28 font-bold">{formatWire(total)}</p>
      <p className="mb-4 text-13 text-ink-2">
        About what the coins are worth, as of <time dateTime={takenAt}>{formatZoned(takenAt)}</time>
      </p>
      <dl className="mb-4">
        <Stat
          label="Against liabilities"
          value={ratio ?? "Nothing is owed"}
          hint={ratio === null || warning !== null ? undefined : "Covers what is owed"}
        />
      </dl>
      <div className="grid justify-items-start gap-3">
        {warning !== null && <Warning>{warning}</Warning>}
        {!isComplete && <Warning>The prices of some coins are not known, so they are not counted.</Warning>}
        <Button size="small" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide the coins" : `Show the coins (${coins.length})`}
        </Button>
      </div>
      {isShown && <Coins coins={coins} />}
    </div>
  );
}

function Coins({ coins }: { coins: readonly ProviderCoin[] }) {
  return (
    <div className="mt-3 overflow-x-auto">
      <Table aria-label="Coins at the provider">
        <thead>
          <tr>
            <TableHead>Coin</TableHead>
            <TableHead className="text-right">Amount</TableHead>
            <TableHead className="text-right">Value</TableHead>
          </tr>
        </thead>
        <tbody>
          {coins.map(({ code, amount, value }) => (
            <tr key={code}>
              <TableCell>{code.toUpperCase()}</TableCell>
              <TableCell className="text-right">{amount}</TableCell>
              <TableCell className="text-right">{value === null ? "Unknown" : formatWire(value)}</TableCell>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

/** What moved in the period, and what the house has won. */
export function Totals({ figures }: { figures: Figures }) {
  const { total, liabilitiesBefore, liabilitiesAfter } = figures;
  return (
    <Panel title="In These Days">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-3 xl:grid-cols-5">
        <Stat
          label="Net deposits"
          value={signedDollars(centsOf(total.netDeposits))}
          hint={`${formatWire(total.deposited)} in, ${formatWire(total.withdrawn)} out`}
        />
        <Stat
          label="GGR"
          value={won(total.ggr)}
          hint={`${formatWire(total.staked)} staked, ${formatWire(total.paid)} paid`}
        />
        <Stat
          label="Adjustments"
          value={signedDollars(centsOf(total.adjusted))}
          hint="Given to players, less what was taken"
        />
        <Stat label="NGR" value={won(total.ngr)} hint="GGR less adjustments" />
        <Stat
          label="Liabilities at the end"
          value={formatWire(liabilitiesAfter)}
          hint={`${formatWire(liabilitiesBefore)} before the first day`}
        />
      </dl>
    </Panel>
  );
}
