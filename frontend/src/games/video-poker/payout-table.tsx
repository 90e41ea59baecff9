import { Check } from "lucide-react";
import { Table, TableCell, TableHead } from "@/components";
import { cn } from "@/lib/class-names";
import { formatDollars } from "@/lib/money";
import { MAX_BET_CENTS, PAYTABLE, rankWords, ROYAL_BELOW_MAXIMUM, type VideoPokerRank } from "./paytable";
import { payoutCents } from "./payouts";

const RANKS = Object.entries(PAYTABLE) as [VideoPokerRank, number][];

type PayoutTableProps = {
  current?: VideoPokerRank | null;
  /** Whether the hand is over and the current rank has won. */
  isWon?: boolean;
  /** With a bet, a third column shows what each hand pays for it. */
  betCents?: number;
  className?: string;
};

/** Jacks or Better 8/5: the payout of each hand as a multiple of the bet. The current hand is highlighted. */
export function PayoutTable({ current = null, isWon = false, betCents, className }: PayoutTableProps) {
  return (
    <div className={className}>
      <Table className="text-13">
        <caption className="sr-only">Payouts, times the bet</caption>
        <thead>
          <tr>
            <TableHead className="static bg-transparent py-1 first:pl-2">Hand</TableHead>
            <TableHead className="static bg-transparent px-1 py-1 text-right last:pr-2">Payout</TableHead>
            {betCents !== undefined && (
              <TableHead className="static bg-transparent whitespace-nowrap py-1 pl-1 text-right last:pr-2">
                For {formatDollars(betCents)}
              </TableHead>
            )}
          </tr>
        </thead>
        <tbody>
          {RANKS.map(([rank, times]) => (
            <Row
              key={rank}
              rank={rank}
              times={times}
              isCurrent={rank === current}
              isWon={isWon && rank === current}
              betCents={betCents}
            />
          ))}
        </tbody>
      </Table>
      <ul className="mt-2 grid gap-1 px-2 text-12 text-ink-2">
        <li>A Jacks or Better hand is a pair of Jacks, Queens, Kings or Aces.</li>
        <li>A Royal Flush pays 800x only at maximum bet; below it, {ROYAL_BELOW_MAXIMUM}x.</li>
      </ul>
    </div>
  );
}

type RowProps = {
  rank: VideoPokerRank;
  times: number;
  isCurrent: boolean;
  isWon: boolean;
  betCents: number | undefined;
};

function Row({ rank, times, isCurrent, isWon, betCents }: RowProps) {
  const cell = cn("px-1 py-1", isWon ? "text-win" : isCurrent && (times > 0 ? "text-brass" : "text-ink"));
  return (
    <tr
      aria-current={isCurrent || undefined}
      className={cn(isCurrent && "bg-raised font-semibold forced-colors:outline-2")}
    >
      <TableCell className={cn(cell, "first:pl-2 @3xl:whitespace-nowrap")}>
        {isWon && <Check aria-hidden className="mr-1 inline size-3.5 align-[-2px]" />}
        {rankWords(rank)}
        {isWon && <span className="sr-only">, won</span>}
      </TableCell>
      <TableCell className={cn(cell, "text-right last:pr-2")}>
        <Times rank={rank} betCents={betCents} />
      </TableCell>
      {betCents !== undefined && (
        <TableCell className={cn(cell, "text-right last:pr-2")}>
          {times === 0 ? "–" : formatDollars(payoutCents(rank, betCents))}
        </TableCell>
      )}
    </tr>
  );
}

/** A royal flush pays less below the maximum bet: with a bet, what applies to it comes first. */
function Times({ rank, betCents }: { rank: VideoPokerRank; betCents: number | undefined }) {
  const times = PAYTABLE[rank];
  if (rank !== "ROYAL_FLUSH" || betCents === MAX_BET_CENTS) return `${times}x`;
  const [first, second] =
    betCents === undefined
      ? [times, `${ROYAL_BELOW_MAXIMUM}x below the maximum bet`]
      : [ROYAL_BELOW_MAXIMUM, `${times}x at Max Bet`];
  return (
    <>
      {first}x<span className="block whitespace-nowrap text-12 font-normal text-ink-2">{second}</span>
    </>
  );
}
