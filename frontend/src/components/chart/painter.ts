import { type Scene, paint } from "./paint";
import { type Palette, paletteOf } from "./palette";

/** Keeps a canvas painted and sharp on any screen. Showing the same scene again costs nothing; resizing repaints it. */
export class ChartPainter {
  #canvas: HTMLCanvasElement | null = null;
  #palette: Palette | null = null;
  #scene: Scene | null = null;

  /** Use as the canvas's ref. */
  readonly attach = (canvas: HTMLCanvasElement | null): (() => void) => {
    if (!canvas) return () => undefined;
    this.#canvas = canvas;
    const observer = new ResizeObserver(() => this.#repaint());
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
    const { clientWidth, clientHeight } = canvas;
    // Hidden, for example in an inactive tab; the observer calls again when it is shown.
    if (clientWidth === 0 || clientHeight === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(clientWidth * ratio);
    const height = Math.round(clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    this.#palette ??= paletteOf(canvas);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(context, clientWidth, clientHeight, this.#scene, this.#palette);
  }
}
