import { ErrorState, Panel, Skeleton } from "@/components";
import { centsOf, formatDollars } from "@/lib/money";
import type { Wagering } from "./api/wallet";
import { useWagering } from "./api/wallet-lists";
import { WageringLines } from "./wagering-lines";

/** How much can be withdrawn, and the rule behind it with the player's own numbers. */
export function FundsRule() {
  const { wagering, error, reload } = useWagering();
  return (
    <Panel title="What you can withdraw">
      {wagering !== undefined ? (
        <div className="grid gap-5">
          <Sum wagering={wagering} />
          <WageringLines wagering={wagering} />
        </div>
      ) : error !== undefined ? (
        <ErrorState title="Failed to load your wagering" onRetry={reload} />
      ) : (
        <Skeleton className="h-[180px]" />
      )}
    </Panel>
  );
}

function Sum({ wagering }: { wagering: Wagering }) {
  const row = "flex justify-between gap-4 py-2";
  return (
    <dl className="divide-y divide-line text-14">
      <div className={row}>
        <dt className="text-ink-2">Balance</dt>
        <dd>{formatDollars(centsOf(wagering.balance))}</dd>
      </div>
      <div className={row}>
        <dt className="text-ink-2">Deposits still to be wagered</dt>
        <dd>{formatDollars(-centsOf(wagering.unwagered))}</dd>
      </div>
      <div className={row}>
        <dt className="font-semibold">Withdrawable now</dt>
        <dd className="text-16 font-semibold">{formatDollars(centsOf(wagering.availableToWithdraw))}</dd>
      </div>
    </dl>
  );
}
