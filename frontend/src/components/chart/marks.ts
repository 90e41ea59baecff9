import type { ChartPoint, Frame, Mark } from "./paint";

const DOT_RADIUS = 6;
const FONT = "600 13px 'Instrument Sans Variable', system-ui, sans-serif";
const BOX = { height: 26, padding: 8, gap: 14, edge: 4, radius: 6 };

/** The points that matter: where the line ends or the player left, and where the rest ends. */
export function paintMarks(frame: Frame, ground: number): void {
  const { scene, palette } = frame;
  const end = scene.rest?.at(-1);
  if (end) {
    paintDot(frame, end, palette.lost);
    if (scene.restText !== undefined) paintText(frame, end, scene.restText, palette.lost);
  }
  const mark = scene.mark ?? scene.points.at(-1);
  if (!mark) return;
  if (!("text" in mark)) {
    paintDot(frame, mark, palette.ink);
    return;
  }
  const colour = mark.tone === "won" ? palette.won : palette.ink;
  paintDrop(frame, mark.at, ground, colour);
  paintDot(frame, mark.at, colour);
  paintLabel(frame, mark, colour);
}

function paintDot({ context, x, y }: Frame, [along, up]: ChartPoint, colour: string): void {
  context.beginPath();
  context.arc(x(along), y(up), DOT_RADIUS, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

/** A dotted line from a point down to the time axis. */
function paintDrop({ context, x, y }: Frame, [along, up]: ChartPoint, ground: number, colour: string): void {
  context.beginPath();
  context.moveTo(x(along), y(up));
  context.lineTo(x(along), ground);
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.setLineDash([2, 4]);
  context.stroke();
  context.setLineDash([]);
}

/** A text beside a point: in the margin on the right if it fits there, otherwise below the point. */
function paintText(
  { context, width, height, x, y }: Frame,
  [along, up]: ChartPoint,
  text: string,
  colour: string,
): void {
  context.font = FONT;
  context.fillStyle = colour;
  const [left, top] = [x(along) + DOT_RADIUS + 5, y(up)];
  const fits = left + context.measureText(text).width <= width - BOX.edge;
  context.textAlign = fits ? "left" : "right";
  context.fillText(text, fits ? left : width - BOX.edge, fits ? top + 4 : Math.min(height - 30, top + 22));
}

/** A text in a box over a point, and never outside the chart. */
function paintLabel({ context, width, palette, x, y }: Frame, { at: [along, up], text }: Mark, colour: string): void {
  context.font = FONT;
  const boxWidth = context.measureText(text).width + 2 * BOX.padding;
  const { left, top } = labelPlace(x(along), y(up), boxWidth, width);
  context.beginPath();
  context.roundRect(left, top, boxWidth, BOX.height, BOX.radius);
  context.globalAlpha = 0.92;
  context.fillStyle = palette.surface;
  context.fill();
  context.globalAlpha = 1;
  context.textAlign = "left";
  context.fillStyle = colour;
  context.fillText(text, left + BOX.padding, top + 17);
}

/** Where the box of a label is: centred above its point, or below it where there is no room above. */
export function labelPlace(x: number, y: number, boxWidth: number, width: number): { left: number; top: number } {
  const left = Math.max(BOX.edge, Math.min(x - boxWidth / 2, width - boxWidth - BOX.edge));
  const above = y - BOX.gap - BOX.height;
  return { left, top: above >= BOX.edge ? above : y + BOX.gap };
}
