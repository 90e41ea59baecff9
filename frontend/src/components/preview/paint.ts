import type { PreviewFrame } from "./canvas-preview";

type Point = readonly [x: number, y: number];

const LINE_WIDTH = 3;

/** A line with a soft area below it and a dot at its end. */
export function paintLine(
  { context, height, palette }: PreviewFrame,
  points: readonly Point[],
  { colour = palette.brass, hasDot = true }: { colour?: string; hasDot?: boolean } = {},
): void {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return;
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.strokeStyle = colour;
  context.lineWidth = LINE_WIDTH;
  context.lineJoin = "round";
  context.lineCap = "round";
  context.stroke();
  context.lineTo(last[0], height);
  context.lineTo(first[0], height);
  context.fillStyle = colour;
  context.globalAlpha = 0.1;
  context.fill();
  context.globalAlpha = 1;
  if (!hasDot) return;
  context.beginPath();
  context.arc(last[0], last[1], 5, 0, 2 * Math.PI);
  context.fillStyle = palette.ink;
  context.fill();
}

/** The figure of a scene, in its upper left corner. */
export function paintFigure({ context, height, palette }: PreviewFrame, text: string, colour = palette.ink): void {
  const size = Math.min(40, Math.max(20, height * 0.2));
  context.font = `700 ${size}px 'Bricolage Grotesque Variable', system-ui, sans-serif`;
  context.textBaseline = "top";
  context.textAlign = "left";
  context.fillStyle = colour;
  context.fillText(text, 16, 14);
}

/** A rectangle with round corners. */
export function fillRounded(
  { context }: PreviewFrame,
  box: { x: number; y: number; width: number; height: number },
  radius: number,
  colour: string,
): void {
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, radius);
  context.fillStyle = colour;
  context.fill();
}
