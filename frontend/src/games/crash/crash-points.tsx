import { useEffect } from "react";
import { useQuery } from "@/api/hooks";
import { liveEvents } from "@/api/live/event-stream";
import type { components } from "@/api/schema";
import { Skeleton } from "@/components/spinner";
import { EmptyState, ErrorState } from "@/components/states";
import { Table, TableCell, TableHead } from "@/components/table";
import { cn } from "@/lib/class-names";
import { counted, formatPercent } from "@/lib/format";
import { centsOf } from "@/lib/money";
import { barHeight, MARKS_HUNDREDTHS, markText, reachPercent } from "./reach";

type Points = components["schemas"]["CrashPoints"];

const SHOWN = 50;

/** The latest crash points of all players' rounds, and how often they reached certain multipliers. */
export default function CrashPoints() {
  const { data, error, mutate } = useQuery("/api/crash/points", { params: { query: { limit: SHOWN } } });
  // A round of this player that ends is one of the latest.
  useEffect(() => liveEvents.on("crash", () => void mutate()), [mutate]);
  if (error !== undefined && data === undefined)
    return <ErrorState title="The crash points could not be loaded" onRetry={() => void mutate()} />;
  if (data === undefined) return <Skeleton className="h-[480px]" />;
  if (data.points.length === 0)
    return (
      <EmptyState title="No crash points yet">The crash point of every round appears here when it ends.</EmptyState>
    );
  return (
    <div className="grid gap-5">
      <Bars points={data.points} />
      <Reached {...data} />
    </div>
  );
}

/** A multiplier has two decimals, as an amount has. */
const hundredthsOf = (crashPoint: string): number => centsOf(crashPoint);
const toneOf = (hundredths: number): string =>
  hundredths >= 1000 ? "bg-brass" : hundredths >= 200 ? "bg-ink-2" : "bg-control";
const textToneOf = (hundredths: number): string =>
  hundredths >= 1000 ? "text-brass" : hundredths >= 200 ? "text-ink" : "text-ink-3";

/** The oldest is at the left, as on a time axis; the list has the newest first. */
function Bars({ points }: Pick<Points, "points">) {
  return (
    <div className="grid gap-3">
      <div aria-hidden className="flex h-20 items-end gap-px rounded-control bg-well p-2 sm:gap-1">
        {points.toReversed().map(({ id, crashPoint }) => {
          const hundredths = hundredthsOf(crashPoint);
          return (
            <span
              key={id}
              title={`#${id}: ${crashPoint}×`}
              className={cn("edge-filled min-w-0 max-w-5 flex-1 rounded-t-chip", toneOf(hundredths))}
              style={{ height: `${Math.max(4, barHeight(hundredths) * 100)}%` }}
            />
          );
        })}
      </div>
      <ul aria-label="Latest crash points, newest first" className="flex flex-wrap gap-1.5">
        {points.map(({ id, crashPoint }) => (
          <li
            key={id}
            className={cn(
              "edge rounded-chip bg-well px-2 py-1 text-12 font-semibold",
              textToneOf(hundredthsOf(crashPoint)),
            )}
          >
            {crashPoint}×
          </li>
        ))}
      </ul>
    </div>
  );
}

function Reached({ statistics: { rounds, shares } }: Pick<Points, "statistics">) {
  const counts = new Map(shares.map(({ multiplier, reached }) => [multiplier, reached]));
  return (
    <div className="grid gap-2">
      <Table>
        <caption className="pb-1 text-left text-13 text-ink-2">
          How often the last {counted(rounds, "round")} reached a multiplier
        </caption>
        <thead>
          <tr>
            <TableHead className="static">Multiplier</TableHead>
            <TableHead className="static text-right">Reached</TableHead>
            <TableHead className="static text-right">Share</TableHead>
            <TableHead className="static text-right">Exact chance</TableHead>
          </tr>
        </thead>
        <tbody>
          {MARKS_HUNDREDTHS.map((hundredths) => {
            const reached = counts.get(markText(hundredths)) ?? 0;
            return (
              <tr key={hundredths}>
                <TableCell>{markText(hundredths)}×</TableCell>
                <TableCell className="text-right">{reached}</TableCell>
                <TableCell className="text-right">{formatPercent(rounds === 0 ? 0 : reached / rounds)}</TableCell>
                <TableCell className="text-right text-ink-2">{reachPercent(hundredths)}%</TableCell>
              </tr>
            );
          })}
        </tbody>
      </Table>
      <p className="text-13 text-ink-3">
        The chance to reach a multiplier is exactly 99% divided by it. Earlier rounds say nothing about the next one.
      </p>
    </div>
  );
}
