import { type RefObject, useEffect, useRef } from "react";
import { CanvasPreview, paintFigure, paintLine, type PreviewFrame, useFrames } from "@/components/preview";
import type { GamePreview, PictureProps } from "@/games/definition";
import type { OpenRounds } from "@/games/rounds/api";
import { liveEvents } from "@/api/live/event-stream";
import { formatWire } from "@/lib/money";
import type { PricePoint, StonksRound } from "./api";
import { exampleAt, rangeOf, SHOWN_TICKS } from "./picture-scene";
import { PricePath } from "./price-path";
import { shownMultiplier, worthAt } from "./rules";

const STILL_MS = 31_000;

type Points = readonly (readonly [tick: number, price: number])[];

/** The line over the dashed price at which the stake was invested. */
function paint(frame: PreviewFrame, points: Points, lastTick: number): void {
  const { context, width, height, palette } = frame;
  const { low, high } = rangeOf(points.map(([, price]) => price));
  const [top, bottom] = [height * 0.3, height * 0.92];
  const x = (tick: number) => (tick / lastTick) * width * 0.88;
  const y = (price: number) => bottom - ((price - low) / (high - low)) * (bottom - top);
  context.strokeStyle = palette.quiet;
  context.lineWidth = 1;
  context.setLineDash([3, 5]);
  context.beginPath();
  context.moveTo(0, y(1));
  context.lineTo(width, y(1));
  context.stroke();
  context.setLineDash([]);
  paintLine(
    frame,
    points.map(([tick, price]) => [x(tick), y(price)] as const),
  );
}

const ticksOf = (prices: readonly number[]): Points => prices.map((price, tick) => [tick, price] as const);

/** The points of the round in play as they are published. */
function usePublishedPath(round: StonksRound | null): RefObject<PricePath> {
  const path = useRef(new PricePath());
  useEffect(() => {
    if (round) path.current.merge(round.roundId, round.points, performance.now());
  }, [round]);
  useEffect(
    () =>
      liveEvents.on<PricePoint>("price", ({ roundId, tick, multiplier }) => {
        path.current.append(roundId, tick, multiplier, performance.now());
      }),
    [],
  );
  return path;
}

function Picture({ open, isStill, isBackdrop }: PictureProps) {
  const round = open?.stonks ?? null;
  const path = usePublishedPath(round);
  function draw(frame: PreviewFrame, sceneMs: number) {
    const isTracked = path.current.roundId === round?.roundId;
    const points = round ? ticksOf(isTracked ? path.current.points : round.points) : exampleAt(sceneMs).points;
    paint(frame, points, Math.max(SHOWN_TICKS, round ? points.length : 0));
    if (!isBackdrop) paintFigure(frame, shownMultiplier(points.at(-1)?.[1] ?? 1));
  }
  return <CanvasPreview paint={draw} stillMs={STILL_MS} isStill={isStill && round === null} />;
}

function LiveFigures({ round }: { round: StonksRound }) {
  const figure = useRef<HTMLParagraphElement>(null);
  const worth = useRef<HTMLSpanElement>(null);
  const path = usePublishedPath(round);
  const first = round.points.at(-1) ?? 1;
  useFrames(
    figure,
    () => {
      const price = path.current.roundId === round.roundId ? path.current.newest : first;
      if (figure.current) figure.current.textContent = shownMultiplier(price);
      if (worth.current) worth.current.textContent = worthAt(round, price);
    },
    { stillMs: 0, isStill: false },
  );
  return (
    <>
      <p ref={figure} data-testid="live-figure" className="display text-64 font-bold">
        {shownMultiplier(first)}
      </p>
      <p className="text-14 text-ink-2">
        Your {formatWire(round.betAmount)} is worth <span ref={worth}>{worthAt(round, first)}</span>.
        {round.autoCashoutProfit !== null && ` Sells by itself at ${formatWire(round.autoCashoutProfit)}.`}
      </p>
    </>
  );
}

const Progress = ({ open: { stonks } }: { open: OpenRounds }) =>
  stonks && <LiveFigures key={stonks.roundId} round={stonks} />;

export const preview: GamePreview = { Picture, Progress };
