// The figures that sum up a player.

import type { ReactNode } from "react";
import { Amount, Stat } from "@/components";
import { Link } from "@/lib/address";
import { counted } from "@/lib/format";
import { formatZoned } from "@/lib/zoned-time";
import { limitName, limitValueText } from "@/lib/limit-texts";
import { centsOf, formatWire } from "@/lib/money";
import type { PlayerOverview } from "../api/admin";
import { ExactTime } from "../lists/cells";
import { asLabel } from "../lists/wording";
import { usePermission } from "../permissions";

export function Figures({ overview }: { overview: PlayerOverview }) {
  const { user, totals } = overview;
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 xl:grid-cols-6">
        <Stat
          label="Balance"
          value={formatWire(user.balance)}
          hint={`${formatWire(user.availableToWithdraw)} withdrawable`}
        />
        <Stat label="Deposited" value={formatWire(totals.deposited)} />
        <Stat label="Withdrawn" value={formatWire(totals.withdrawn)} hint="Less what was returned" />
        <Stat label="Wagered" value={formatWire(totals.wagered)} />
        <Stat
          label="Player's profit"
          value={<Amount cents={centsOf(totals.profit)} signed />}
          hint="Payouts less stakes"
        />
        <Waiting overview={overview} />
      </dl>
      <Facts overview={overview} />
    </div>
  );
}

function Waiting({ overview }: { overview: PlayerOverview }) {
  const { pendingWithdrawals, pendingWithdrawalAmount, totals, user } = overview;
  return (
    <Stat
      label="Pending withdrawals"
      value={
        pendingWithdrawals === 0 ? (
          "None"
        ) : (
          <Link
            to={`/admin?tab=withdrawals&status=pending&search=${encodeURIComponent(user.username)}`}
            className="underline decoration-line underline-offset-4 hover:decoration-current"
          >
            {pendingWithdrawals} · {formatWire(pendingWithdrawalAmount)}
          </Link>
        )
      }
      hint={totals.openReviews === 0 ? "No open reviews" : counted(totals.openReviews, "open review")}
    />
  );
}

/** What the player has decided, and how the account is protected. */
function Facts({ overview }: { overview: PlayerOverview }) {
  const { limits, hasSecondFactor, lastSignInAt } = overview;
  const maySeeSecurity = usePermission("read_security_events");
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t border-line pt-3 text-14">
      <Fact name="Second factor">{hasSecondFactor ? "Set up" : "None"}</Fact>
      {maySeeSecurity && (
        <Fact name="Last sign-in">{lastSignInAt === null ? "None" : <ExactTime iso={lastSignInAt} />}</Fact>
      )}
      <Fact name="Exclusion">{exclusionText(limits.exclusion)}</Fact>
      <Fact name="Own limits">
        {limits.limits.length === 0
          ? "None"
          : limits.limits
              .map(({ kind, period, value }) => `${asLabel(limitName(kind, period))}: ${limitValueText(kind, value)}`)
              .join(", ")}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-ink-3">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function exclusionText(exclusion: PlayerOverview["limits"]["exclusion"]): string {
  if (exclusion === null || exclusion === undefined) return "None";
  return exclusion.isPermanent ? "For ever" : `Until ${formatZoned(exclusion.until)}`;
}
