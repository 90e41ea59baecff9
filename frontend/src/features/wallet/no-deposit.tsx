import { Link } from "@/lib/address";
import { isPermanent, LIMITS_ADDRESS, localTimeText } from "@/lib/limit-texts";
import type { OpenDeposit } from "./api/wallet";
import { UnpaidDeposits } from "./unpaid-deposits";

const LINK = "inline-flex min-h-6 items-center underline underline-offset-4 hover:text-ink";

/** In place of the form while the player is excluded. */
export function Excluded({ until, onReopen, onLeave }: ExcludedProps) {
  return (
    <div className="grid gap-4">
      <UnpaidDeposits onReopen={onReopen} />
      <p className="text-pretty text-14">
        {isPermanent(until)
          ? "You have excluded yourself permanently, so you cannot deposit."
          : `You have excluded yourself until ${localTimeText(until)}. You cannot deposit before then.`}
      </p>
      <p className="text-pretty text-14 text-ink-2">
        Payments for open invoices are still credited, and you can withdraw your money at any time.{" "}
        <Link to={LIMITS_ADDRESS} className={LINK} onClick={onLeave}>
          Your exclusion
        </Link>
      </p>
    </div>
  );
}
type ExcludedProps = { until: string; onReopen(deposit: OpenDeposit): void; onLeave(): void };

/** When the player's own limit allows the deposit, and where it is. */
export function LimitedUntil({ until, onLeave }: { until: string; onLeave(): void }) {
  return (
    <p className="text-pretty text-13 text-ink-2">
      By your clock: {localTimeText(until)}. A smaller deposit may fit.{" "}
      <Link to={LIMITS_ADDRESS} className={LINK} onClick={onLeave}>
        Your limits
      </Link>
    </p>
  );
}
