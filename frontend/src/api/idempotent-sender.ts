import { ConnectionError, isDecided, isRateLimited, newIdempotencyKey } from "./client";

/** Delays between retries. They are short because a live round does not wait. */
const WAITS_MS: readonly number[] = [300, 1200];
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Sends requests that move money. If the response is lost, the request is retried with the same key, both automatically
 * and when the user sends the same request again later: money moves only once.
 */
export class IdempotentSender {
  readonly #waitsMs: readonly number[];
  readonly #isDecided: (error: unknown) => boolean;
  #unanswered: { body: string; key: string } | null = null;

  /** Overrides for requests whose errors mean something else, or that are worth waiting longer for. */
  constructor(options: { waitsMs?: readonly number[]; isDecided?: (error: unknown) => boolean } = {}) {
    this.#waitsMs = options.waitsMs ?? WAITS_MS;
    this.#isDecided = options.isDecided ?? isDecided;
  }

  /** Drops the key of the last request, because its result is known from elsewhere. The next request is a new one. */
  forget(): void {
    this.#unanswered = null;
  }

  /** `isRepeated`: the answer may be a replay of an earlier one. */
  async send<B extends object, T>(
    body: B,
    call: (body: B, key: string) => Promise<T>,
  ): Promise<{ answer: T; isRepeated: boolean }> {
    const text = JSON.stringify(body);
    let isRepeated = this.#unanswered?.body === text;
    const key = isRepeated && this.#unanswered ? this.#unanswered.key : newIdempotencyKey();
    const sent = { body: text, key };
    this.#unanswered = sent;
    let unanswered: unknown;
    for (let attempt = 0; ; attempt += 1) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- the next attempt depends on this one
        const answer = await call(body, key);
        if (this.#unanswered === sent) this.#unanswered = null;
        return { answer, isRepeated };
      } catch (error) {
        // Longer delays are for a busy server, not for an unreachable one.
        const wait = (error instanceof ConnectionError ? WAITS_MS : this.#waitsMs)[attempt];
        if (isRateLimited(error)) {
          if (unanswered === undefined) throw error;
        } else if (this.#isDecided(error)) {
          if (this.#unanswered === sent) this.#unanswered = null;
          throw error;
        } else unanswered = error;
        if (wait === undefined) throw unanswered;
        // oxlint-disable-next-line no-await-in-loop -- waits between attempts
        await pause(wait);
        isRepeated = true;
      }
    }
  }
}
