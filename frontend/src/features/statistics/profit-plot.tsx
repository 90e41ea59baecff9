import { type KeyboardEvent, type PointerEvent, useId, useState } from "react";
import type { ProfitRange } from "./api";
import { counted } from "@/lib/format";
import { formatChange, formatDollars, shortDollars } from "@/lib/money";
import { positionOf, type Scale, scaleAround } from "@/lib/plot-scale";
import { keyTarget, linePath, nearestTo, positionIn, type ProfitPoint, type Span } from "./profit-points";
import { bucketLabel } from "./times";

const [WIDTH, HEIGHT] = [1000, 100];

type ProfitPlotProps = { points: readonly ProfitPoint[]; span: Span; range: ProfitRange };

/** The profit over time as a line around zero. Pointer and arrow keys show the figures of a point. */
export function ProfitPlot({ points, span, range }: ProfitPlotProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const sums = points.map(({ sumCents }) => sumCents);
  const scale = scaleAround(Math.min(0, ...sums), Math.max(0, ...sums));
  const positions = points.map(({ startMs }) => positionIn(span, startMs, range));
  const last = points.length - 1;
  const index = Math.min(chosen ?? last, last);
  const point = points[index];
  const caption = point === undefined ? "" : captionOf(point, range);

  function onPointer(event: PointerEvent<HTMLDivElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setChosen(nearestTo((event.clientX - left) / width, positions));
  }
  function onKey(event: KeyboardEvent) {
    const next = keyTarget(event.key, index, points.length);
    if (next === null) return;
    event.preventDefault();
    setChosen(next);
  }
  return (
    <figure className="grid gap-2">
      <figcaption data-testid="profit-caption" className="min-h-10 text-13 text-ink-2 sm:min-h-5">
        {caption}
      </figcaption>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 pt-2">
        <TickLabels scale={scale} />
        <div
          role="slider"
          tabIndex={0}
          aria-label="Profit over time"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={Math.max(0, index)}
          aria-valuetext={caption}
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          onPointerLeave={() => setChosen(null)}
          onKeyDown={onKey}
          className="relative h-[240px] cursor-crosshair touch-pan-y rounded-chip"
        >
          <Lines points={points} positions={positions} scale={scale} />
          {point !== undefined && (
            <Marker x={positions[index] ?? 0} y={1 - positionOf(point.sumCents, scale)} isShown={chosen !== null} />
          )}
        </div>
        <span />
        <p aria-hidden className="flex justify-between gap-2 pt-2 text-12 text-ink-3">
          <span>{bucketLabel(span.fromMs, range)}</span>
          <span>{bucketLabel(span.toMs, range)} UTC</span>
        </p>
      </div>
    </figure>
  );
}

function captionOf({ startMs, rounds, stakedCents, profitCents, sumCents }: ProfitPoint, range: ProfitRange): string {
  return `${bucketLabel(startMs, range)}: ${formatChange(profitCents)} from ${counted(rounds, "round")}, ${formatDollars(stakedCents)} staked; ${formatChange(sumCents)} in total`;
}

const yOf = (value: number, scale: Scale): number => HEIGHT * (1 - positionOf(value, scale));

type LinesProps = { points: readonly ProfitPoint[]; positions: readonly number[]; scale: Scale };

/** The line; its area is green above zero and red below. */
function Lines({ points, positions, scale }: LinesProps) {
  const id = useId();
  const zero = yOf(0, scale);
  const drawn = points.map(({ sumCents }, index) => ({ position: positions[index] ?? 0, y: yOf(sumCents, scale) }));
  const { line, area } = linePath(drawn, zero, WIDTH);
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
    >
      <clipPath id={`${id}-above`}>
        <rect width={WIDTH} height={zero} />
      </clipPath>
      <clipPath id={`${id}-below`}>
        <rect width={WIDTH} y={zero} height={HEIGHT - zero} />
      </clipPath>
      {scale.ticks.map((tick) => (
        <line
          key={tick}
          x2={WIDTH}
          y1={yOf(tick, scale)}
          y2={yOf(tick, scale)}
          vectorEffect="non-scaling-stroke"
          className={tick === 0 ? "stroke-control" : "stroke-line"}
        />
      ))}
      <path d={area} clipPath={`url(#${id}-above)`} className="fill-win/15" />
      <path d={area} clipPath={`url(#${id}-below)`} className="fill-loss/15" />
      <path d={line} vectorEffect="non-scaling-stroke" className="fill-none stroke-ink stroke-2" />
    </svg>
  );
}

/** The chosen point, or the last one. */
function Marker({ x, y, isShown }: { x: number; y: number; isShown: boolean }) {
  return (
    <>
      {isShown && <span aria-hidden className="absolute inset-y-0 w-px bg-control" style={{ left: `${x * 100}%` }} />}
      <span
        aria-hidden
        className="edge-filled absolute size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full bg-ink"
        style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      />
    </>
  );
}

function TickLabels({ scale }: { scale: Scale }) {
  return (
    <div aria-hidden className="flex h-[240px] flex-col-reverse justify-between text-right text-12 text-ink-3">
      {scale.ticks.map((tick) => (
        <span key={tick} className="flex h-0 items-center justify-end">
          {shortDollars(tick)}
        </span>
      ))}
    </div>
  );
}
