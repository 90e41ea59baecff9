/** The published points of one round. Events bring one at a time, responses all so far; a known point never changes. */
export class PricePath {
  roundId = 0;
  points: number[] = [1];
  /** When the newest point arrived, on the monotonic clock; the line is animated towards it. */
  newestAt = Number.NEGATIVE_INFINITY;

  /** Merges all points so far, from a response. */
  merge(roundId: number, points: readonly number[], now: number): void {
    if (!this.#enter(roundId) || points.length === 0) return;
    const isNewer = points.length > this.points.length;
    // A late response can be shorter; it still fills the gaps of missed events.
    this.points = [...points, ...this.points.slice(points.length)];
    if (isNewer) this.newestAt = now;
  }

  /** Adds one point; false if earlier points are missing and have to be loaded. */
  append(roundId: number, tick: number, multiplier: number, now: number): boolean {
    if (!this.#enter(roundId) || tick < this.points.length) return true;
    const isWhole = tick === this.points.length;
    const newest = this.points.at(-1) ?? 1;
    // Missing points are drawn flat until they arrive.
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

  /** A newer round starts a new path; points of older rounds are ignored. */
  #enter(roundId: number): boolean {
    if (roundId > this.roundId) {
      this.roundId = roundId;
      this.points = [1];
      this.newestAt = Number.NEGATIVE_INFINITY;
    }
    return roundId === this.roundId;
  }
}
