import { ApiError, ConnectionError, newIdempotencyKey } from "./client";

/** Waits between sending and sending again. A live round does not wait, so these are short. */
const WAITS_MS: readonly number[] = [300, 1200];
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Below 500 the server has decided; above (503 `outcome_unknown` among others), or without an answer, nobody knows. */
const isDecided = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

/**
 * Sends calls that move money. One whose answer got lost is sent again under the same key, at once
 * and also when a person sends the same again later: however often, money moves once.
 */
export class IdempotentSender {
  readonly #waitsMs: readonly number[];
  readonly #isDecided: (error: unknown) => boolean;
  #unanswered: { body: string; key: string } | null = null;

  /** Calls whose errors mean something else, or that are worth waiting for longer, say so. */
  constructor(options: { waitsMs?: readonly number[]; isDecided?: (error: unknown) => boolean } = {}) {
    this.#waitsMs = options.waitsMs ?? WAITS_MS;
    this.#isDecided = options.isDecided ?? isDecided;
  }

  /** What was sent has been answered in another way, so that the next call is a new one. */
  forget(): void {
    this.#unanswered = null;
  }

  /** `isRepeated` tells that the answer may be one that the server gave a while ago. */
  async send<B extends object, T>(
    body: B,
    call: (body: B, key: string) => Promise<T>,
  ): Promise<{ answer: T; isRepeated: boolean }> {
    const text = JSON.stringify(body);
    let isRepeated = this.#unanswered?.body === text;
    const key = isRepeated && this.#unanswered ? this.#unanswered.key : newIdempotencyKey();
    const sent = { body: text, key };
    this.#unanswered = sent;
    for (let attempt = 0; ; attempt += 1) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- the next attempt depends on this one
        const answer = await call(body, key);
        if (this.#unanswered === sent) this.#unanswered = null;
        return { answer, isRepeated };
      } catch (error) {
        // Waiting longer is for a server that is at work, not for one that cannot be reached.
        const wait = (error instanceof ConnectionError ? WAITS_MS : this.#waitsMs)[attempt];
        if (this.#isDecided(error)) {
          if (this.#unanswered === sent) this.#unanswered = null;
          throw error;
        }
        if (wait === undefined) throw error;
        // oxlint-disable-next-line no-await-in-loop -- it waits between attempts
        await pause(wait);
        isRepeated = true;
      }
    }
  }
}
