import { ErrorState, Skeleton } from "@/components";
import { Accordion } from "@/components/accordion";
import { centsOf, formatDollars } from "@/lib/money";
import { useWagering } from "./api/wallet-lists";
import { WageringLines } from "./wagering-lines";
import type { Funds } from "./withdraw-rules";

/** What can be withdrawn, and why that is less than the balance. */
export function WithdrawableFunds({ funds }: { funds: Funds }) {
  const { wagering, error, reload } = useWagering();
  const toWagerCents = wagering === undefined ? null : centsOf(wagering.unwagered);
  return (
    <div className="rounded-control bg-well px-4 pt-4">
      <dl className="grid grid-cols-[1fr_auto] items-baseline gap-y-1.5 pb-2 text-14">
        <dt className="text-ink-2">Available to withdraw</dt>
        <dd className="text-right text-20 font-semibold">{formatDollars(funds.availableCents)}</dd>
        <dt className="text-ink-2">Balance</dt>
        <dd className="text-right">{formatDollars(funds.balanceCents)}</dd>
        <dt className="text-ink-2">Still to be wagered</dt>
        <dd className="text-right">{toWagerCents === null ? "–" : formatDollars(toWagerCents)}</dd>
      </dl>
      <Accordion
        sections={[
          {
            title: "Wagering progress of your deposits",
            content:
              wagering !== undefined ? (
                <WageringLines wagering={wagering} />
              ) : error === undefined ? (
                <Skeleton className="h-[80px]" />
              ) : (
                <ErrorState title="Failed to load your wagering" onRetry={reload} />
              ),
          },
        ]}
      />
    </div>
  );
}
