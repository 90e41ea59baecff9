import { useMemo, useState } from "react";
import type { ProfitRange } from "./api";
import { useQuery } from "@/api/hooks";
import {
  Amount,
  Button,
  EmptyState,
  ErrorState,
  Panel,
  SegmentedControl,
  Select,
  Skeleton,
  Table,
  TableCell,
  TableHead,
} from "@/components";
import type { GameType } from "@/games/rounds/api";
import { formatDollars } from "@/lib/money";
import { pointsOf, type ProfitPoint, RANGES, spanOf } from "./profit-points";
import { ProfitPlot } from "./profit-plot";
import { bucketLabel } from "./times";

const ALL = "all";

type ProfitPanelProps = { games: readonly { value: GameType; label: string }[] };

/** The player's profit over time, of all games or of one. */
export function ProfitPanel({ games }: ProfitPanelProps) {
  const [range, setRange] = useState<ProfitRange>("month");
  const [game, setGame] = useState<string>(ALL);
  const query = { range, ...(game === ALL ? {} : { gameType: game as GameType }) };
  const { data, error, mutate } = useQuery("/api/statistics/profit", { params: { query } }, { keepPreviousData: true });
  const [shown, setShown] = useState({ data, range });
  // The data of the range before is shown until that of the new one is there, and is drawn as what it is.
  if (data !== shown.data) setShown({ data, range });
  return (
    <Panel
      title="Profit over time"
      actions={
        <Select
          label="Game"
          value={game}
          onValueChange={setGame}
          options={[{ value: ALL, label: "All games" }, ...games]}
          className="min-w-[150px]"
        />
      }
    >
      <div className="grid gap-4">
        <div className="max-w-[420px] max-sm:[&_button]:px-1">
          <SegmentedControl<ProfitRange> label="Time" value={range} onValueChange={setRange} options={[...RANGES]} />
        </div>
        {error !== undefined ? (
          <ErrorState title="The profit over time could not be loaded" onRetry={() => void mutate()} />
        ) : shown.data === undefined ? (
          <Skeleton className="h-[300px]" />
        ) : (
          <Profit {...shown.data} range={shown.range} />
        )}
      </div>
    </Panel>
  );
}

type ProfitProps = { buckets: Parameters<typeof pointsOf>[0]; from: string; to: string; range: ProfitRange };

function Profit({ buckets, from, to, range }: ProfitProps) {
  const [isTableShown, setTableShown] = useState(false);
  const points = useMemo(() => pointsOf(buckets), [buckets]);
  if (points.length === 0)
    return <EmptyState title="No rounds in this time">Choose a longer time, or another game.</EmptyState>;
  return (
    <div className="grid gap-3">
      <ProfitPlot points={points} span={spanOf(from, to, range)} range={range} />
      <Button
        size="small"
        className="justify-self-start"
        aria-expanded={isTableShown}
        onClick={() => setTableShown(!isTableShown)}
      >
        {isTableShown ? "Hide the figures" : "Show the figures"}
      </Button>
      {isTableShown && <Figures points={points} range={range} />}
    </div>
  );
}

/** The same figures as a table, newest first. */
function Figures({ points, range }: { points: readonly ProfitPoint[]; range: ProfitRange }) {
  const narrow = "px-1.5";
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
    <div className="max-h-[400px] overflow-y-auto" tabIndex={0} role="region" aria-label="Figures">
      <Table className="max-sm:text-13">
        <caption className="sr-only">Profit over time</caption>
        <thead>
          <tr>
            <TableHead className={narrow}>Time (UTC)</TableHead>
            <TableHead className="text-right max-sm:hidden">Rounds</TableHead>
            <TableHead className="text-right max-sm:hidden">Staked</TableHead>
            <TableHead className="text-right max-sm:hidden">Paid</TableHead>
            <TableHead className={`${narrow} text-right`}>Profit</TableHead>
            <TableHead className={`${narrow} text-right`}>In total</TableHead>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map((point) => (
            <tr key={point.startMs}>
              <TableCell className={narrow}>{bucketLabel(point.startMs, range)}</TableCell>
              <TableCell className="text-right max-sm:hidden">{point.rounds.toLocaleString("en-US")}</TableCell>
              <TableCell className="text-right max-sm:hidden">{formatDollars(point.stakedCents)}</TableCell>
              <TableCell className="text-right max-sm:hidden">{formatDollars(point.paidCents)}</TableCell>
              <TableCell className={`${narrow} text-right`}>
                <Amount cents={point.profitCents} signed />
              </TableCell>
              <TableCell className={`${narrow} text-right`}>
                <Amount cents={point.sumCents} signed />
              </TableCell>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
