import { type Scene, paint } from "./paint";
import { type Palette, paletteOf } from "./palette";

/** Keeps a canvas painted and sharp on any screen. Showing the same scene again costs nothing; resizing repaints it. */
export class ChartPainter {
  #canvas: HTMLCanvasElement | null = null;
  #palette: Palette | null = null;
  #scene: Scene | null = null;
  /** In CSS pixels. Kept, because to ask for it in each frame has the browser compute the styles and the layout twice. */
  #size = { width: 0, height: 0 };

  /** Use as the canvas's ref. */
  readonly attach = (canvas: HTMLCanvasElement | null): (() => void) => {
    if (!canvas) return () => undefined;
    this.#canvas = canvas;
    // It is called at first, too, before anything is shown.
    const observer = new ResizeObserver(() => {
      this.#size = { width: canvas.clientWidth, height: canvas.clientHeight };
      this.#repaint();
    });
    observer.observe(canvas);
    return () => {
      observer.disconnect();
      this.#canvas = null;
      this.#palette = null;
    };
  };

  show(scene: Scene): void {
    if (scene === this.#scene) return;
    this.#scene = scene;
    this.#repaint();
  }

  #repaint(): void {
    const canvas = this.#canvas;
    const context = canvas?.getContext("2d");
    if (!canvas || !context || !this.#scene) return;
    const { width, height } = this.#size;
    // Hidden, for example in an inactive tab; the observer calls again when it is shown.
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== columns || canvas.height !== rows) {
      canvas.width = columns;
      canvas.height = rows;
    }
    this.#palette ??= paletteOf(canvas);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(context, width, height, this.#scene, this.#palette);
  }
}
