import { currencyLabel } from "@/lib/currencies";
import { formatDate } from "@/lib/format";
import { centsOf, formatDollars } from "@/lib/money";
import type { Wagering, WageringLine } from "./api/wallet";

/** Each deposit with its wagering progress. */
export function WageringLines({ wagering }: { wagering: Wagering }) {
  const olderCents = centsOf(wagering.olderRemaining);
  if (wagering.deposits.length === 0 && olderCents === 0) {
    return <p className="text-14 text-ink-2">You have no deposits left to wager.</p>;
  }
  return (
    <div className="grid gap-4">
      <ul className="grid gap-4">
        {wagering.deposits.map((line) => (
          <Line key={line.depositId} line={line} />
        ))}
      </ul>
      {olderCents > 0 && (
        <p className="text-13 text-ink-2">{formatDollars(olderCents)} more must be wagered for older deposits.</p>
      )}
      <p className="text-13 text-ink-3">Every bet counts, won or lost, towards the oldest deposit first.</p>
    </div>
  );
}

function Line({ line }: { line: WageringLine }) {
  const [amountCents, wageredCents, remainingCents] = [
    centsOf(line.amount),
    centsOf(line.wagered),
    centsOf(line.remaining),
  ];
  const percent = amountCents === 0 ? 100 : Math.floor((wageredCents * 100) / amountCents);
  const name = `Deposit of ${formatDollars(amountCents)}`;
  const progress = `${formatDollars(wageredCents)} of ${formatDollars(amountCents)} wagered`;
  return (
    <li className="grid gap-1.5 text-14">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{name}</span>
        <span className="text-13 text-ink-3">
          {currencyLabel(line.currency)}, {formatDate(line.creditedAt)}
        </span>
      </p>
      <div
        role="progressbar"
        aria-label={`${name} of ${formatDate(line.creditedAt)}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={progress}
        className="h-2 overflow-hidden rounded-chip bg-line"
      >
        <div className="h-full origin-left bg-ink-2" style={{ transform: `scaleX(${percent / 100})` }} />
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 text-13 text-ink-2">
        <span>{progress}</span>
        <span className="font-medium text-ink">
          {remainingCents === 0 ? "Done" : `${formatDollars(remainingCents)} to go`}
        </span>
      </p>
    </li>
  );
}
