import { useRef } from "react";
import { CanvasPreview, paintFigure, paintLine, type PreviewFrame, useFrames } from "@/components/preview";
import type { GamePreview, PictureProps } from "@/games/definition";
import type { OpenRounds } from "@/games/rounds/api";
import { serverClock } from "@/api/live/server-clock";
import { formatWire } from "@/lib/money";
import type { CrashRound } from "./api";
import { type Curve, MIN_HUNDREDTHS } from "./curve";
import { type CrashMoment, curvePoints, exampleAt } from "./picture-scene";
import { payoutAt, shownMultiplier } from "./rules";
import { type Shown, shownAt } from "./use-crash-frames";

/** An example's curve that is still rising. */
const STILL_MS = 4200;

const heightOf = (curve: Curve) => (ms: number) => (curve === "linear" ? 1 + (0.7 * ms) / 1000 : 1.1 ** (ms / 1000));

type Drawn = CrashMoment & { curve: Curve; hasFigure: boolean };

function paint(frame: PreviewFrame, { curve, hasFigure, ...moment }: Drawn): void {
  const { width, height, palette } = frame;
  const [right, top, bottom] = [hasFigure ? width * 0.86 : width, height * 0.2, height * 0.9];
  const points = curvePoints(moment, heightOf(curve)).map(
    ([x, y]) => [x * right, bottom - y * (bottom - top)] as const,
  );
  const colour = moment.isOver ? palette.quiet : palette.brass;
  paintLine(frame, points, { colour, hasDot: !moment.isOver });
  if (hasFigure) paintFigure(frame, shownMultiplier(moment.hundredths), moment.isOver ? palette.quiet : palette.ink);
}

/** The round in play follows the house's clock, also under reduced motion: it is information. */
function Picture({ open, isStill, isBackdrop }: PictureProps) {
  const shown = useRef<Shown | null>(null);
  const round = open?.crash ?? null;
  function draw(frame: PreviewFrame, sceneMs: number) {
    if (round === null) return paint(frame, { ...exampleAt(sceneMs), curve: "exponential", hasFigure: !isBackdrop });
    shown.current = shownAt(round, serverClock.now(), shown.current);
    return paint(frame, { ...shown.current, isOver: false, curve: round.curve, hasFigure: !isBackdrop });
  }
  return <CanvasPreview paint={draw} stillMs={STILL_MS} isStill={isStill && round === null} />;
}

function LiveFigures({ round }: { round: CrashRound }) {
  const figure = useRef<HTMLParagraphElement>(null);
  const worth = useRef<HTMLSpanElement>(null);
  const shown = useRef<Shown | null>(null);
  useFrames(
    figure,
    () => {
      shown.current = shownAt(round, serverClock.now(), shown.current);
      const { hundredths } = shown.current;
      if (figure.current) figure.current.textContent = shownMultiplier(hundredths);
      if (worth.current) worth.current.textContent = payoutAt(round, hundredths);
    },
    { stillMs: 0, isStill: false },
  );
  const automatic = round.autoCashoutMultiplier;
  return (
    <>
      <p ref={figure} data-testid="live-figure" className="display text-64 font-bold">
        {shownMultiplier(MIN_HUNDREDTHS)}
      </p>
      <p className="text-14 text-ink-2">
        Your {formatWire(round.betAmount)} is worth <span ref={worth}>{payoutAt(round, MIN_HUNDREDTHS)}</span>.
        {automatic !== null && ` Cashes out by itself at ${automatic.toFixed(2)}×.`}
      </p>
    </>
  );
}

const Progress = ({ open: { crash } }: { open: OpenRounds }) =>
  crash && <LiveFigures key={crash.roundId} round={crash} />;

export const preview: GamePreview = { Picture, Progress };
