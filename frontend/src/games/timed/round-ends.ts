import { useState } from "react";
import type { LiveRound } from "./api";

/** Lets autobet wait for the end of its round, however the end becomes known. */
export class RoundEnds<R extends LiveRound> {
  #isExpecting = false;
  #last: R | null = null;
  #waiting: { roundId: number; resolve(round: R | null): void } | null = null;

  /** Before the round is started: its end can be announced before the start is answered. */
  expect(): void {
    this.#isExpecting = true;
    this.#last = null;
  }

  /** No longer interested. */
  forget(): void {
    this.#isExpecting = false;
    this.#waiting = null;
  }

  /** Passes on a round that has ended; returns whether autobet is playing it. */
  note(round: R): boolean {
    this.#last = round;
    if (this.#waiting?.roundId === round.roundId) this.#waiting.resolve(round);
    return this.#isExpecting;
  }

  /** A newer round is known: the end of the awaited one was missed. */
  noteKnown(roundId: number): void {
    if (this.#waiting !== null && roundId > this.#waiting.roundId) this.#waiting.resolve(null);
  }

  /** The end of a round; null if a newer round took its place. */
  async of(roundId: number): Promise<R | null> {
    if (this.#last !== null && this.#last.roundId >= roundId) return this.#last.roundId === roundId ? this.#last : null;
    return new Promise((resolve) => {
      this.#waiting = { roundId, resolve };
    });
  }
}

export function useRoundEnds<R extends LiveRound>(): RoundEnds<R> {
  const [ends] = useState(() => new RoundEnds<R>());
  return ends;
}
