type Sample = { at: number; offset: number };

/** How long a sample counts, because clocks drift. */
const WINDOW_MS = 120_000;
const MAX_SAMPLES = 64;

/**
 * The house clock, as far as this browser can know it. A message is received after it was sent, so `received − sent` is
 * the true offset plus the delay: the smallest is the most accurate, and a clock based on it never runs ahead of the
 * house. It is based on the monotonic clock, so that changing the computer's time has no effect.
 */
export class ServerClock {
  #samples: Sample[] = [];
  readonly #monotonic: () => number;

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Records the server time of a message that has just arrived. */
  sample(serverTimeMs: number): void {
    if (!Number.isFinite(serverTimeMs)) return;
    const at = this.#monotonic();
    const recent = this.#samples.filter((sample) => at - sample.at <= WINDOW_MS);
    this.#samples = [...recent, { at, offset: at - serverTimeMs }].slice(-MAX_SAMPLES);
  }

  /** After a reconnection it may be another server with another clock. */
  forget(): void {
    this.#samples = [];
  }

  /** The house's current time; null until a message has arrived. */
  now(): number | null {
    if (this.#samples.length === 0) return null;
    const offset = Math.min(...this.#samples.map((sample) => sample.offset));
    return this.#monotonic() - offset;
  }
}

export const serverClock = new ServerClock();
