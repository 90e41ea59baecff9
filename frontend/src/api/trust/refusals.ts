import { ApiError, errorCode } from "../error";

/** Entries appear within ten seconds, and faults are repaired; what lasts longer than this is reported. */
const PATIENCE_MS = 10 * 60_000;
/** A server that was only just started may not have caught up. */
const CONFIRMED_MS = 60_000;

/** An answer as this browser saw it, for the evidence: it is not signed. */
export type SeenAnswer = { path: string; status: number; body: unknown };

/** What the server answered to a call for a round; null if the error is not an answer of our server. */
export function seenAnswer(path: string, error: unknown): SeenAnswer | null {
  if (!(error instanceof ApiError) || errorCode(error) === undefined) return null;
  const { status, body } = error;
  // Without a session or a free moment, the server says nothing about the round.
  return [401, 403, 429].includes(status) || status > 500 ? null : { path, status, body };
}

/** Questions that the house answers, but with a refusal or an internal error. */
export class Refusals {
  readonly #firstMs = new Map<string, number>();

  /**
   * Notes such an answer. Returns whether it has lasted too long: `sinceMs` is when the house should have been able to
   * answer at the latest. An internal error must have lasted during this visit.
   */
  isOverdue({ path, status }: SeenAnswer, sinceMs: number): boolean {
    const now = Date.now();
    const firstMs = this.#firstMs.get(path) ?? now;
    this.#firstMs.set(path, firstMs);
    const lasted = now - firstMs;
    return status < 500 ? now - sinceMs >= PATIENCE_MS && lasted >= CONFIRMED_MS : lasted >= PATIENCE_MS;
  }

  /** Notes that the house has answered. */
  forget(path: string): void {
    this.#firstMs.delete(path);
  }
}
