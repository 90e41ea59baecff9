import { CanvasPreview, fillRounded, paintFigure, type PreviewFrame } from "@/components/preview";
import type { GamePreview, PictureProps } from "@/games/definition";
import { columnOf, TARGET, trackAt } from "./picture-scene";

const STILL_MS = 61_000;

/** The track with its winning zone, the marker, and the last rolls standing on it. */
function paint(frame: PreviewFrame, { marker, past }: ReturnType<typeof trackAt>): void {
  const { context, width, height, palette } = frame;
  const [left, right] = [24, width - 24];
  const along = (number: number) => left + (number / 100) * (right - left);
  const track = Math.round(height * 0.74);
  fillRounded(frame, { x: left, y: track, width: right - left, height: 8 }, 4, palette.line);
  fillRounded(frame, { x: along(TARGET), y: track, width: right - along(TARGET), height: 8 }, 4, palette.brass);
  const step = Math.max(6, Math.min(18, height * 0.055));
  for (const { roll, row, isWin, strength } of past) {
    context.globalAlpha = 0.2 + 0.8 * strength;
    const y = track - 14 - (row + 1) * step;
    const box = { x: along(columnOf(roll)) - 3, y, width: 6, height: step - 3 };
    fillRounded(frame, box, 2, isWin ? palette.brass : palette.quiet);
  }
  context.globalAlpha = 1;
  fillRounded(frame, { x: along(marker) - 6, y: track - 10, width: 12, height: 28 }, 4, palette.well);
  fillRounded(frame, { x: along(marker) - 4, y: track - 8, width: 8, height: 24 }, 3, palette.ink);
}

function Picture({ isStill, isBackdrop }: PictureProps) {
  function draw(frame: PreviewFrame, sceneMs: number) {
    const track = trackAt(sceneMs);
    paint(frame, track);
    if (!isBackdrop) paintFigure(frame, String(Math.round(track.marker)));
  }
  return <CanvasPreview paint={draw} stillMs={STILL_MS} isStill={isStill} />;
}

/** A roll is over with the answer to its bet. */
const Progress = () => null;

export const preview: GamePreview = { Picture, Progress };
