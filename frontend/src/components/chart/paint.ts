import { roundTicks } from "./ticks";

export type ChartPoint = readonly [x: number, y: number];

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
  mark: ChartPoint | null;
  labelOf(y: number): string;
  /** How many units of the x axis make a second, for its labels. */
  unitsPerSecond: number;
};

export type Palette = { line: string; ink: string; quiet: string; live: string; lost: string };

const MAX_ROWS = 4;
const MAX_SECONDS = 6;
/** The labels are on the right, where the line does not reach. */
const MARGIN = { top: 24, right: 64, bottom: 24 };
const LINE_WIDTH = 3;

const VARIABLES: Record<keyof Palette, [name: string, otherwise: string]> = {
  line: ["--color-line", "#303e38"],
  ink: ["--color-ink", "#eef3f0"],
  quiet: ["--color-ink-3", "#949e99"],
  live: ["--color-brass", "#f9c13b"],
  lost: ["--color-loss", "#fd736d"],
};

/** The theme's colours, from the same CSS variables as the rest of the page. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const colour = ([name, otherwise]: [string, string]) => style.getPropertyValue(name).trim() || otherwise;
  return {
    line: colour(VARIABLES.line),
    ink: colour(VARIABLES.ink),
    quiet: colour(VARIABLES.quiet),
    live: colour(VARIABLES.live),
    lost: colour(VARIABLES.lost),
  };
}

type Frame = {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  scene: Scene;
  palette: Palette;
  x(value: number): number;
  y(value: number): number;
};

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
  paintGuide(frame);
  paintLine(frame);
  paintMark(frame);
  paintTime(frame);
}

function paintGrid({ context, width, scene, palette, y }: Frame): void {
  context.strokeStyle = palette.line;
  context.fillStyle = palette.quiet;
  context.lineWidth = 1;
  context.textAlign = "right";
  context.font = "12px 'Instrument Sans Variable', system-ui, sans-serif";
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
  context.fillStyle = palette.quiet;
  context.textAlign = "center";
  for (const seconds of roundTicks(0, scene.xMax / scene.unitsPerSecond, MAX_SECONDS)) {
    context.fillText(`${seconds} s`, x(seconds * scene.unitsPerSecond), height - 7);
  }
}

function paintGuide({ context, width, scene, palette, y }: Frame): void {
  if (scene.guide === null || scene.guide > scene.yMax || scene.guide < scene.yMin) return;
  context.strokeStyle = palette.quiet;
  context.lineWidth = 1;
  context.setLineDash([6, 6]);
  context.beginPath();
  context.moveTo(0, y(scene.guide));
  context.lineTo(width, y(scene.guide));
  context.stroke();
  context.setLineDash([]);
}

function paintLine({ context, height, scene, palette, x, y }: Frame): void {
  const [first] = scene.points;
  const last = scene.points.at(-1);
  if (!first || !last) return;
  const colour = scene.tone === "lost" ? palette.lost : palette.live;
  context.beginPath();
  for (const [along, up] of scene.points) context.lineTo(x(along), y(up));
  context.strokeStyle = colour;
  context.lineWidth = LINE_WIDTH;
  context.lineJoin = "round";
  context.lineCap = "round";
  context.stroke();
  context.lineTo(x(last[0]), height - MARGIN.bottom);
  context.lineTo(x(first[0]), height - MARGIN.bottom);
  context.fillStyle = colour;
  context.globalAlpha = 0.1;
  context.fill();
  context.globalAlpha = 1;
}

function paintMark({ context, scene, palette, x, y }: Frame): void {
  const mark = scene.mark ?? scene.points.at(-1);
  if (!mark) return;
  context.beginPath();
  context.arc(x(mark[0]), y(mark[1]), 6, 0, 2 * Math.PI);
  context.fillStyle = palette.ink;
  context.fill();
}
