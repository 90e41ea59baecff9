import { Button } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { formatDateTime } from "@/lib/format";
import { centsOf, formatDollars } from "@/lib/money";
import { isUnpaid, MAX_UNPAID, type OpenDeposit } from "./api/wallet";
import { useDeposits } from "./api/wallet-lists";

/** Shown when the maximum number of unpaid invoices is reached: each with a button to reopen it. */
export function UnpaidDeposits({ onReopen }: { onReopen(deposit: OpenDeposit): void }) {
  const { entries } = useDeposits();
  const unpaid = entries.filter(isUnpaid);
  if (unpaid.length < MAX_UNPAID) return null;
  return (
    <section
      aria-label="Unpaid deposits"
      className="grid gap-3 rounded-control border border-control bg-well p-3 text-13"
    >
      <p>
        <strong className="font-semibold">You have three unpaid deposits.</strong> Please pay one of them, or wait until
        one of them expires.
      </p>
      <ul className="grid gap-2">
        {unpaid.map((deposit) => (
          <UnpaidDeposit key={deposit.id} deposit={deposit} onReopen={onReopen} />
        ))}
      </ul>
    </section>
  );
}

function UnpaidDeposit({ deposit, onReopen }: { deposit: OpenDeposit; onReopen(deposit: OpenDeposit): void }) {
  const amount = formatDollars(centsOf(deposit.amount));
  const created = formatDateTime(deposit.createdAt);
  return (
    <li className="flex items-center justify-between gap-3">
      <span>
        {amount} in {currencyLabel(deposit.currency)}
        <span className="block text-12 text-ink-3">{created}</span>
      </span>
      <Button
        size="small"
        onClick={() => onReopen(deposit)}
        aria-label={`Reopen the deposit of ${amount} from ${created}`}
      >
        Reopen
      </Button>
    </li>
  );
}
