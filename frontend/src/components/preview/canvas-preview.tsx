import { useEffect, useRef } from "react";
import { type PreviewPalette, previewPaletteOf } from "./palette";
import { useFrames } from "./use-frames";

/** Sharper than this is not visible in a small picture. */
const MAX_PIXEL_RATIO = 2;

/** Where a scene is drawn; sizes are in CSS pixels. */
export type PreviewFrame = {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  palette: PreviewPalette;
};

type CanvasPreviewProps = {
  paint(frame: PreviewFrame, sceneMs: number): void;
  stillMs: number;
  isStill: boolean;
};

/** A drawing that fills its container. */
export function CanvasPreview({ paint, stillMs, isStill }: CanvasPreviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = useRef<PreviewPalette | null>(null);
  const drawn = useRef<number>(stillMs);

  function draw(sceneMs: number) {
    drawn.current = sceneMs;
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const { clientWidth: width, clientHeight: height } = element;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio || 1);
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (element.width !== columns || element.height !== rows) {
      element.width = columns;
      element.height = rows;
    }
    palette.current ??= previewPaletteOf(element);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    paint({ context, width, height, palette: palette.current }, sceneMs);
  }
  useFrames(canvas, draw, { stillMs, isStill });

  // A still picture must be drawn again when its size changes.
  const latest = useRef(draw);
  useEffect(() => {
    latest.current = draw;
  });
  useEffect(() => {
    if (!canvas.current) return undefined;
    const observer = new ResizeObserver(() => latest.current(drawn.current));
    observer.observe(canvas.current);
    return () => observer.disconnect();
  }, []);
  return <canvas ref={canvas} className="absolute inset-0 size-full" />;
}
