type Sample = { at: number; offset: number };

/** So long a sample counts: clocks drift apart. */
const WINDOW_MS = 120_000;
const MAX_SAMPLES = 64;

/**
 * The house's clock, as this browser can know it. A message is received after it was sent, so
 * `received − sent` is the true offset plus the delay: the smallest is the nearest to the truth, and
 * reading the clock with it never runs ahead of the house. It counts on a monotonic clock, so that
 * setting the computer's time changes nothing.
 */
export class ServerClock {
  #samples: Sample[] = [];
  readonly #monotonic: () => number;

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Takes in a time that the server wrote into a message that has just arrived. */
  sample(serverTimeMs: number): void {
    if (!Number.isFinite(serverTimeMs)) return;
    const at = this.#monotonic();
    const recent = this.#samples.filter((sample) => at - sample.at <= WINDOW_MS);
    this.#samples = [...recent, { at, offset: at - serverTimeMs }].slice(-MAX_SAMPLES);
  }

  /** After a reconnection the server may be another one, with another clock. */
  forget(): void {
    this.#samples = [];
  }

  /** The house's time now; null as long as nothing was heard from it. */
  now(): number | null {
    if (this.#samples.length === 0) return null;
    const offset = Math.min(...this.#samples.map((sample) => sample.offset));
    return this.#monotonic() - offset;
  }
}

export const serverClock = new ServerClock();
