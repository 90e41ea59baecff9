import { Amount, Panel, Table, TableCell, TableHead } from "@/components";
import { gameTypeLabel } from "@/games/registry";
import { formatPercent } from "@/lib/format";
import { centsOf, formatWire } from "@/lib/money";
import type { PlayerStatistics } from "./api";

type Totals = { rounds: number; wins: number; staked: string; paid: string };

/** "98.7%": what was paid of what was staked. */
export function returnText({ staked, paid }: Pick<Totals, "staked" | "paid">): string {
  const stakedCents = centsOf(staked);
  return stakedCents === 0 ? "–" : formatPercent(centsOf(paid) / stakedCents);
}

/** The totals of each game over all rounds, and their sum. */
export function GameTotals({ statistics }: { statistics: PlayerStatistics }) {
  const { totalGames: rounds, wins, totalWagered: staked, totalWon: paid, games } = statistics;
  return (
    <Panel title="Totals by game">
      <Table className="max-sm:text-13">
        <caption className="sr-only">Totals by game</caption>
        <thead>
          <tr>
            <TableHead className="static max-sm:px-1.5">Game</TableHead>
            <TableHead className="static text-right max-sm:px-1.5">Rounds</TableHead>
            <TableHead className="static text-right max-sm:hidden">Won</TableHead>
            <TableHead className="static text-right max-sm:px-1.5">Staked</TableHead>
            <TableHead className="static text-right max-sm:hidden">Paid</TableHead>
            <TableHead className="static text-right max-sm:hidden">Returned</TableHead>
            <TableHead className="static text-right max-sm:px-1.5">Profit</TableHead>
          </tr>
        </thead>
        <tbody>
          {games.map(({ gameType, gamesPlayed, wins: won, totalWagered, totalWon }) => (
            <TotalsRow
              key={gameType}
              name={gameTypeLabel(gameType)}
              totals={{ rounds: gamesPlayed, wins: won, staked: totalWagered, paid: totalWon }}
            />
          ))}
        </tbody>
        <tfoot className="font-semibold">
          <TotalsRow name="All games" totals={{ rounds, wins, staked, paid }} />
        </tfoot>
      </Table>
    </Panel>
  );
}

function TotalsRow({ name, totals }: { name: string; totals: Totals }) {
  const { rounds, wins, staked, paid } = totals;
  return (
    <tr>
      <th scope="row" className="border-t border-line py-2.5 pr-1.5 text-left font-[inherit]">
        {name}
      </th>
      <TableCell className="text-right max-sm:px-1.5">{rounds.toLocaleString("en-US")}</TableCell>
      <TableCell className="text-right max-sm:hidden">{rounds === 0 ? "–" : formatPercent(wins / rounds)}</TableCell>
      <TableCell className="text-right max-sm:px-1.5">{formatWire(staked)}</TableCell>
      <TableCell className="text-right max-sm:hidden">{formatWire(paid)}</TableCell>
      <TableCell className="text-right max-sm:hidden">{returnText(totals)}</TableCell>
      <TableCell className="text-right max-sm:px-1.5">
        <Amount cents={centsOf(paid) - centsOf(staked)} signed />
      </TableCell>
    </tr>
  );
}
