import { CanvasPreview, fillRounded, type PreviewFrame } from "@/components/preview";
import type { GamePreview, PictureProps } from "@/games/definition";
import type { OpenRounds } from "@/games/rounds/api";
import { formatWire } from "@/lib/money";
import { CELLS, shownMultiplier } from "./multiplier";
import { revealedAt } from "./picture-scene";
import { safeCellsOf } from "./rules";

const STILL_MS = 4900;
const COLUMNS = Math.sqrt(CELLS);

function paintGem({ context, palette }: PreviewFrame, x: number, y: number, size: number): void {
  const at = (along: number, down: number) => [x + size * along, y + size * down] as const;
  context.beginPath();
  for (const [left, top] of [at(0.28, 0.24), at(0.72, 0.24), at(0.88, 0.46), at(0.5, 0.84), at(0.12, 0.46)])
    context.lineTo(left, top);
  context.closePath();
  context.fillStyle = palette.info;
  context.fill();
}

/** The grid, with a gem in each revealed cell. */
function paint(frame: PreviewFrame, revealed: ReadonlyMap<number, number>): void {
  const { context, width, height, palette } = frame;
  const side = Math.min(height * 0.84, width * 0.7);
  const gap = side * 0.035;
  const cellSize = (side - gap * (COLUMNS - 1)) / COLUMNS;
  const [left, top] = [(width - side) / 2, (height - side) / 2];
  for (let cell = 0; cell < CELLS; cell += 1) {
    const x = left + (cell % COLUMNS) * (cellSize + gap);
    const y = top + Math.floor(cell / COLUMNS) * (cellSize + gap);
    const share = revealed.get(cell) ?? 0;
    fillRounded(frame, { x, y, width: cellSize, height: cellSize }, 4, share > 0 ? palette.line : palette.raised);
    if (share === 0) continue;
    context.globalAlpha = share;
    paintGem(frame, x, y, cellSize);
    context.globalAlpha = 1;
  }
}

function Picture({ open, isStill }: PictureProps) {
  const round = open?.mines ?? null;
  const own = round && new Map(safeCellsOf(round).map((cell) => [cell, 1]));
  return (
    <CanvasPreview
      paint={(frame, sceneMs) => paint(frame, own ?? revealedAt(sceneMs))}
      stillMs={STILL_MS}
      isStill={isStill || own !== null}
    />
  );
}

function Progress({ open: { mines: round } }: { open: OpenRounds }) {
  if (!round) return null;
  const safeCells = safeCellsOf(round).length;
  return (
    <>
      <p className="display text-40 font-bold">{safeCells === 0 ? "1.00×" : shownMultiplier(round.mines, safeCells)}</p>
      <p className="text-14 text-ink-2">
        Your stake is {formatWire(round.betAmount)}.{" "}
        {safeCells === 0 ? "No cell is revealed yet." : `A cash-out pays ${formatWire(round.payout)}.`}
      </p>
    </>
  );
}

export const preview: GamePreview = { Picture, Progress };
