import { Table, TableCell, TableHead } from "@/components";
import { cn } from "@/lib/class-names";
import { PAYTABLE, rankWords, ROYAL_BELOW_MAXIMUM, type VideoPokerRank } from "./fairness";

const RANKS = Object.entries(PAYTABLE) as [VideoPokerRank, number][];

/** Jacks or Better 8/5: the payout of each hand as a multiple of the bet. The current hand is highlighted. */
export function PayoutTable({ current = null, className }: { current?: VideoPokerRank | null; className?: string }) {
  return (
    <div className={className}>
      <Table>
        <caption className="sr-only">Payouts, times the bet</caption>
        <thead>
          <tr>
            <TableHead className="static bg-transparent py-1.5">Hand</TableHead>
            <TableHead className="static bg-transparent py-1.5 text-right">Payout</TableHead>
          </tr>
        </thead>
        <tbody>
          {RANKS.map(([rank, times]) => (
            <tr
              key={rank}
              aria-current={rank === current || undefined}
              className={cn(rank === current && "bg-raised font-semibold")}
            >
              <TableCell className={cn("py-1.5", rank === current && "text-brass first:pl-2")}>
                {rankWords(rank)}
              </TableCell>
              <TableCell className={cn("py-1.5 text-right", rank === current && "text-brass last:pr-2")}>
                {times}x
                {rank === "ROYAL_FLUSH" && (
                  <span className="block text-12 font-normal text-ink-2">
                    {ROYAL_BELOW_MAXIMUM}x below the maximum bet
                  </span>
                )}
              </TableCell>
            </tr>
          ))}
        </tbody>
      </Table>
      <ul className="mt-2 grid gap-1 text-13 text-ink-2">
        <li>A Jacks or Better hand is a pair of Jacks, Queens, Kings or Aces.</li>
        <li>A Royal Flush pays 800x only at maximum bet; below it, {ROYAL_BELOW_MAXIMUM}x.</li>
      </ul>
    </div>
  );
}
