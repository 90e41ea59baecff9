/**
 * The points of one round as they were published. They come by events, one each, and by answers,
 * all so far; whichever way, a point that is known never changes.
 */
export class PricePath {
  roundId = 0;
  points: number[] = [1];
  /** When the newest point came, on the monotonic clock: the line glides to it. */
  newestAt = Number.NEGATIVE_INFINITY;

  /** All points so far, as an answer has them. */
  merge(roundId: number, points: readonly number[], now: number): void {
    if (!this.#enter(roundId) || points.length === 0) return;
    const isNewer = points.length > this.points.length;
    // An older answer may be shorter; what it has is still right where an event went missing.
    this.points = [...points, ...this.points.slice(points.length)];
    if (isNewer) this.newestAt = now;
  }

  /** One point; false where others before it are missing and have to be asked for. */
  append(roundId: number, tick: number, multiplier: number, now: number): boolean {
    if (!this.#enter(roundId) || tick < this.points.length) return true;
    const isWhole = tick === this.points.length;
    const newest = this.points.at(-1) ?? 1;
    // Until they are there, missing points are drawn level.
    while (this.points.length < tick) this.points.push(newest);
    this.points.push(multiplier);
    this.newestAt = now;
    return isWhole;
  }

  get newest(): number {
    return this.points.at(-1) ?? 1;
  }

  get tick(): number {
    return this.points.length - 1;
  }

  /** A newer round begins a new track; an older one has nothing to say. */
  #enter(roundId: number): boolean {
    if (roundId > this.roundId) {
      this.roundId = roundId;
      this.points = [1];
      this.newestAt = Number.NEGATIVE_INFINITY;
    }
    return roundId === this.roundId;
  }
}
