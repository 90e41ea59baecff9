// The house's profit, by day or cumulative.

import { type PointerEvent, useState } from "react";
import { Button, EmptyState, SegmentedControl } from "@/components";
import { cn } from "@/lib/class-names";
import { counted } from "@/lib/format";
import { formatDollars, shortDollars } from "@/lib/money";
import { positionOf, type Scale, scaleAround } from "@/lib/plot-scale";
import type { HouseDay } from "../api/admin";
import { type Column, RecordTable } from "../lists/record-list";
import { signedDollars } from "../lists/wording";
import { type DayBar, dayBars } from "./plot-scale";

const VIEWS = [
  { value: "daily", label: "Daily" },
  { value: "sum", label: "Cumulative" },
] as const;
type View = (typeof VIEWS)[number]["value"];

const DAY = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const dayLabel = (day: string) => DAY.format(new Date(`${day}T00:00:00Z`));
const valueOf = (bar: DayBar, view: View) => (view === "daily" ? bar.profitCents : bar.sumCents);
const HEIGHT = 100;

export function ProfitPlot({ days }: { days: readonly HouseDay[] }) {
  const [view, setView] = useState<View>("daily");
  const [isTableShown, setTableShown] = useState(false);
  const bars = dayBars(days);
  if (bars.length === 0) return <EmptyState title="No rounds in this time" />;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SegmentedControl<View>
          label="Profit and loss"
          value={view}
          onValueChange={(next) => setView(next)}
          options={[...VIEWS]}
        />
        <Button size="small" aria-expanded={isTableShown} onClick={() => setTableShown(!isTableShown)}>
          {isTableShown ? "Hide the figures" : "Show the figures"}
        </Button>
      </div>
      <Bars bars={bars} view={view} />
      {isTableShown && <FiguresTable bars={bars} />}
    </div>
  );
}

function Bars({ bars, view }: { bars: readonly DayBar[]; view: View }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const values = bars.map((bar) => valueOf(bar, view));
  const scale = scaleAround(Math.min(...values), Math.max(...values));
  function point(event: PointerEvent<HTMLDivElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPointed(Math.min(bars.length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * bars.length))));
  }
  return (
    <figure className="grid gap-2">
      <figcaption className="min-h-10 text-13 text-ink-2 sm:min-h-5">{captionOf(bars, pointed)}</figcaption>
      <Legend view={view} />
      <div className="grid grid-cols-[auto_1fr] gap-x-3 pt-2">
        <TickLabels scale={scale} />
        <div className="relative h-[220px] touch-pan-y" onPointerMove={point} onPointerLeave={() => setPointed(null)}>
          <svg
            role="img"
            aria-label={`${captionOf(bars, null)}. The figures can be shown as a table.`}
            viewBox={`0 0 ${bars.length} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="absolute inset-0 size-full"
          >
            {scale.ticks.map((tick) => (
              <line
                key={tick}
                x1={0}
                x2={bars.length}
                y1={yOf(tick, scale)}
                y2={yOf(tick, scale)}
                vectorEffect="non-scaling-stroke"
                className={tick === 0 ? "stroke-control" : "stroke-line"}
              />
            ))}
            {pointed !== null && <rect x={pointed} width={1} y={0} height={HEIGHT} className="fill-raised" />}
            {view === "daily" ? <DailyBars bars={bars} scale={scale} /> : <SumLine bars={bars} scale={scale} />}
          </svg>
        </div>
        <span />
        <div className="flex justify-between pt-2 text-12 text-ink-3">
          {[bars.at(0), bars.at(Math.floor(bars.length / 2)), bars.at(-1)].map((bar, position) => (
            // oxlint-disable-next-line react/no-array-index-key -- first, middle and last, which can be the same day
            <span key={position} className={cn(bars.length < 3 && position === 1 && "invisible")}>
              {bar && dayLabel(bar.day)}
            </span>
          ))}
        </div>
      </div>
    </figure>
  );
}

/** Explains the colours. */
function Legend({ view }: { view: View }) {
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1 text-13 text-ink-2">
      {view === "daily" ? (
        <>
          <span>
            <span aria-hidden className="mr-2 inline-block size-2.5 bg-win" />
            profit
          </span>
          <span>
            <span aria-hidden className="mr-2 inline-block size-2.5 bg-loss" />
            loss
          </span>
        </>
      ) : (
        <span>
          <span aria-hidden className="mr-2 inline-block h-0.5 w-5 -translate-y-1 bg-ink" />
          profit since the first day
        </span>
      )}
      <span className="text-ink-3">in dollars, by day (UTC)</span>
    </p>
  );
}

const yOf = (value: number, scale: Scale) => HEIGHT * (1 - positionOf(value, scale));

function DailyBars({ bars, scale }: { bars: readonly DayBar[]; scale: Scale }) {
  const zero = yOf(0, scale);
  return bars.map((bar, position) => {
    const y = yOf(bar.profitCents, scale);
    return (
      <rect
        key={bar.day}
        x={position + 0.14}
        width={0.72}
        y={Math.min(y, zero)}
        height={Math.abs(y - zero)}
        className={bar.profitCents < 0 ? "fill-loss" : "fill-win"}
      />
    );
  });
}

function SumLine({ bars, scale }: { bars: readonly DayBar[]; scale: Scale }) {
  const points = bars.map((bar, position) => `${position + 0.5},${yOf(bar.sumCents, scale)}`);
  // A single day makes no line; a short stroke marks it.
  const shown =
    points.length === 1
      ? [`0.2,${yOf(bars[0]?.sumCents ?? 0, scale)}`, `0.8,${yOf(bars[0]?.sumCents ?? 0, scale)}`]
      : points;
  return (
    <polyline points={shown.join(" ")} vectorEffect="non-scaling-stroke" className="fill-none stroke-ink stroke-2" />
  );
}

function TickLabels({ scale }: { scale: Scale }) {
  return (
    <div aria-hidden className="flex h-[220px] flex-col-reverse justify-between text-right text-12 text-ink-3">
      {scale.ticks.map((tick) => (
        <span key={tick} className="flex h-0 items-center justify-end">
          {shortDollars(tick)}
        </span>
      ))}
    </div>
  );
}

function captionOf(bars: readonly DayBar[], pointed: number | null): string {
  const bar = pointed === null ? undefined : bars[pointed];
  const [first, last] = [bars.at(0), bars.at(-1)];
  if (!first || !last) return "";
  if (!bar) return `${dayLabel(first.day)} to ${dayLabel(last.day)}: ${signedDollars(last.sumCents)} for the house`;
  return `${dayLabel(bar.day)}: ${signedDollars(bar.profitCents)}, ${formatDollars(bar.stakedCents)} staked in ${counted(bar.rounds, "round")}; ${signedDollars(bar.sumCents)} since ${dayLabel(first.day)}`;
}

const COLUMNS: Column<DayBar>[] = [
  { name: "Day (UTC)", cell: (bar) => bar.day },
  { name: "Rounds", isNumber: true, cell: (bar) => bar.rounds.toLocaleString("en-US") },
  { name: "Staked", isNumber: true, cell: (bar) => formatDollars(bar.stakedCents) },
  { name: "Paid", isNumber: true, cell: (bar) => formatDollars(bar.paidCents) },
  { name: "Profit", isNumber: true, cell: (bar) => <Profit cents={bar.profitCents} /> },
  { name: "Cumulative", isNumber: true, cell: (bar) => signedDollars(bar.sumCents) },
];

function Profit({ cents }: { cents: number }) {
  return (
    <span className={cents < 0 ? "text-loss" : cents > 0 ? "text-win" : "text-ink-2"}>{signedDollars(cents)}</span>
  );
}

function FiguresTable({ bars }: { bars: readonly DayBar[] }) {
  return (
    <RecordTable label="Profit and loss by day" rows={bars.toReversed()} keyOf={(bar) => bar.day} columns={COLUMNS} />
  );
}
