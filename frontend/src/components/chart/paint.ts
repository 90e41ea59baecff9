import { paintMarks } from "./marks";
import { type Palette } from "./palette";
import { roundTicks } from "./ticks";

export type ChartPoint = readonly [x: number, y: number];

/** A point of the chart with a text, such as where the player cashed out. */
export type Mark = { at: ChartPoint; text: string; tone: "won" | "plain" };

/** The data of a chart: a line over time, already decimated to what a screen can show. */
export type Scene = {
  points: readonly ChartPoint[];
  xMax: number;
  yMin: number;
  yMax: number;
  /** Brass during a round and after a cash-out; red after a crash. */
  tone: "live" | "lost";
  /** A horizontal guide such as the automatic cash-out; null for none. */
  guide: number | null;
  /** The cash-out; null for the end of the line. */
  mark: ChartPoint | Mark | null;
  labelOf(y: number): string;
  /** How many units of the x axis make a second, for its labels. */
  unitsPerSecond: number;
  /** How far the round has come, from 0 to 1: the line becomes wider and glows. */
  heat?: number;
  /** What followed after the player had left, drawn dashed from the end of the line. */
  rest?: readonly ChartPoint[];
  /** The text at the end of the rest. */
  restText?: string;
  /** A second horizontal guide, with a text: what the player paid. */
  entry?: { y: number; text: string };
};

export type Frame = {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  scene: Scene;
  palette: Palette;
  x(value: number): number;
  y(value: number): number;
};

const MAX_ROWS = 5;
const MAX_SECONDS = 6;
/** The labels of the values are on the right, where the line does not reach. */
const MARGIN = { top: 24, right: 64, bottom: 24 };
const FONT = "12px 'Instrument Sans Variable', system-ui, sans-serif";
const LINE_WIDTH = 3;
/** At full heat the line is twice as wide, and its glow is this much wider. */
const GLOW_WIDTH = 14;

/** Paints a scene over the previous one; sizes are in CSS pixels. */
export function paint(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  scene: Scene,
  palette: Palette,
): void {
  const plotHeight = height - MARGIN.top - MARGIN.bottom;
  const span = scene.yMax - scene.yMin || 1;
  const x = (value: number) => (value / (scene.xMax || 1)) * (width - MARGIN.right);
  const y = (value: number) => MARGIN.top + plotHeight * (1 - (value - scene.yMin) / span);
  const frame: Frame = { context, width, height, scene, palette, x, y };
  context.clearRect(0, 0, width, height);
  paintGrid(frame);
  paintEntry(frame);
  paintGuide(frame, scene.guide);
  paintRest(frame);
  paintLine(frame);
  paintMarks(frame, height - MARGIN.bottom);
  paintTime(frame);
}

function paintGrid({ context, width, scene, palette, y }: Frame): void {
  context.strokeStyle = palette.line;
  context.fillStyle = palette.quiet;
  context.lineWidth = 1;
  context.textAlign = "right";
  context.font = FONT;
  for (const value of roundTicks(scene.yMin, scene.yMax, MAX_ROWS)) {
    // Offset by half a pixel, so that a one-pixel line covers exactly one row.
    const height = Math.round(y(value)) + 0.5;
    context.globalAlpha = 0.6;
    context.beginPath();
    context.moveTo(0, height);
    context.lineTo(width, height);
    context.stroke();
    context.globalAlpha = 1;
    context.fillText(scene.labelOf(value), width - 8, height - 5);
  }
}

/** The seconds since the start, below the line. */
function paintTime({ context, height, scene, palette, x }: Frame): void {
  context.font = FONT;
  context.fillStyle = palette.quiet;
  context.textAlign = "center";
  for (const seconds of roundTicks(0, scene.xMax / scene.unitsPerSecond, MAX_SECONDS)) {
    context.fillText(`${seconds} s`, x(seconds * scene.unitsPerSecond), height - 7);
  }
}

function paintEntry(frame: Frame): void {
  const { context, width, palette, scene, y } = frame;
  if (!scene.entry) return;
  paintGuide(frame, scene.entry.y);
  context.fillStyle = palette.quiet;
  context.textAlign = "right";
  // The label of the value is above the line.
  context.fillText(scene.entry.text, width - 8, y(scene.entry.y) + 14);
}

function paintGuide({ context, width, scene, palette, y }: Frame, value: number | null): void {
  if (value === null || value > scene.yMax || value < scene.yMin) return;
  context.strokeStyle = palette.quiet;
  context.lineWidth = 1;
  context.setLineDash([6, 6]);
  context.beginPath();
  context.moveTo(0, y(value));
  context.lineTo(width, y(value));
  context.stroke();
  context.setLineDash([]);
}

function paintRest({ context, scene, palette, x, y }: Frame): void {
  const from = scene.points.at(-1);
  if (!from || !scene.rest || scene.rest.length === 0) return;
  context.beginPath();
  context.moveTo(x(from[0]), y(from[1]));
  for (const [along, up] of scene.rest) context.lineTo(x(along), y(up));
  context.strokeStyle = palette.quiet;
  context.lineWidth = 2;
  context.setLineDash([3, 6]);
  context.stroke();
  context.setLineDash([]);
}

function paintLine({ context, height, scene, palette, x, y }: Frame): void {
  const [first] = scene.points;
  const last = scene.points.at(-1);
  if (!first || !last) return;
  const heat = scene.heat ?? 0;
  context.beginPath();
  for (const [along, up] of scene.points) context.lineTo(x(along), y(up));
  context.strokeStyle = scene.tone === "lost" ? palette.lost : palette.live;
  context.lineJoin = "round";
  context.lineCap = "round";
  const lineWidth = LINE_WIDTH * (1 + heat);
  if (heat > 0) {
    // Cheaper than a blurred shadow, which is drawn anew for the whole line in each frame.
    for (const [share, alpha] of [
      [1, 0.1],
      [0.5, 0.14],
    ] as const) {
      context.globalAlpha = alpha;
      context.lineWidth = lineWidth + GLOW_WIDTH * heat * share;
      context.stroke();
    }
    context.globalAlpha = 1;
  }
  context.lineWidth = lineWidth;
  context.stroke();
  context.lineTo(x(last[0]), height - MARGIN.bottom);
  context.lineTo(x(first[0]), height - MARGIN.bottom);
  context.fillStyle = context.strokeStyle;
  context.globalAlpha = 0.1;
  context.fill();
  context.globalAlpha = 1;
}
