/** A drawing gets at most this many frames per second: enough for a picture, and a third of a fast screen's work. */
const FRAMES_PER_SECOND = 30;
/** Browsers round the time of a frame, so the interval is a little shorter than the exact one. */
const FRAME_MS = 1000 / FRAMES_PER_SECOND - 2;

type Frame = (nowMs: number) => void;
type Scheduler = { request(frame: Frame): number; cancel(id: number): void };

const BROWSER: Scheduler = {
  request: (frame) => requestAnimationFrame(frame),
  cancel: (id) => cancelAnimationFrame(id),
};

/**
 * One animation loop for all moving pictures of a page. It runs only while there are any, and the browser stops it
 * while the page is hidden.
 */
export class Ticker {
  readonly #frames = new Set<Frame>();
  readonly #scheduler: Scheduler;
  #request: number | null = null;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(scheduler: Scheduler = BROWSER) {
    this.#scheduler = scheduler;
  }

  /** Calls `frame` until the returned function is called. */
  add(frame: Frame): () => void {
    this.#frames.add(frame);
    this.#request ??= this.#scheduler.request(this.#next);
    return () => {
      this.#frames.delete(frame);
      if (this.#frames.size > 0 || this.#request === null) return;
      this.#scheduler.cancel(this.#request);
      this.#request = null;
    };
  }

  readonly #next = (nowMs: number): void => {
    this.#request = this.#scheduler.request(this.#next);
    if (nowMs - this.#drawnAt < FRAME_MS) return;
    this.#drawnAt = nowMs;
    for (const frame of this.#frames) frame(nowMs);
  };
}

export const previewTicker = new Ticker();
