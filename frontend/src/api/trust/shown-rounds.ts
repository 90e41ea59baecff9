import { parseReceipt, type RoundReceipt } from "@/lib/trust/receipt";
import type { RoundState } from "@/lib/trust/records";
import { differences, isShownRound, type ShownRound } from "@/lib/trust/shown-round";
import type { FoundFailure, TrustStore } from "@/lib/trust/store";
import type { Call } from "./answers";
import { type Refusals, type SeenAnswer, seenAnswer } from "./refusals";

/** What a visit asks for at most, so that a long history is not read as a whole. */
const MAX_ASKED = 50;
/** The clocks of a house's servers may differ. */
const CLOCK_TOLERANCE_MS = 5000;

type Options = {
  store: TrustStore;
  refusals: Refusals;
  fetchRound: (roundId: number) => Promise<unknown>;
  fetchReceipt: (roundId: number) => Promise<unknown>;
  verifyReceipt: (sent: unknown) => Promise<RoundReceipt | null>;
  report: (failure: FoundFailure) => Promise<void>;
};

const roundPath = (roundId: number): string => `/api/rounds/${roundId}`;
const pathOf = ({ url }: Call): string => new URL(url, "http://house").pathname;

/** Compares the rounds that the house shows with those that it has signed receipts of. */
export class ShownRounds {
  readonly #options: Options;
  /** The rounds that were asked for in this visit. */
  readonly #asked = new Set<string>();
  #receiptsSinceMs: Promise<number> | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** A page of the history. */
  async history(body: unknown, call: Call): Promise<void> {
    const shown = Array.isArray(body) ? body.filter(isShownRound) : [];
    for (const round of shown) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, to leave the browser to the game
      await this.#compare(round, { path: pathOf(call), status: call.status, body: round });
    }
    const { searchParams } = new URL(call.url, "http://house");
    if (searchParams.has("gameType") || searchParams.has("search")) return;
    const ids = shown.map(({ id }) => id);
    const from = call.next === null ? 0 : Math.min(...ids);
    const to = searchParams.has("cursor") ? Math.max(0, ...ids) : Infinity;
    const isExpected = ({ roundId, entry, settledMs, atMs }: RoundState) =>
      entry !== null && roundId >= from && roundId <= to && (settledMs ?? atMs) < call.askedMs;
    const listed = new Set(ids);
    for (const { roundId } of (await this.#options.store.rounds()).filter(isExpected)) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (!listed.has(roundId) && this.#mayAsk(`round ${roundId}`)) await this.#ask(roundId);
    }
  }

  /** A round with its seeds, or the statement that there is no such round. */
  async round(body: unknown, call: Call): Promise<void> {
    const answer = { path: pathOf(call), status: call.status, body };
    if (call.status !== 200) await this.#denied(Number(answer.path.split("/").at(-1)), answer);
    else if (isShownRound(body)) await this.#compare(body, answer);
  }

  #mayAsk(question: string): boolean {
    if (this.#asked.has(question) || this.#asked.size >= MAX_ASKED) return false;
    this.#asked.add(question);
    return true;
  }

  /** A round that a page of the history should have listed may be on another page; only the house can say so. */
  async #ask(roundId: number): Promise<void> {
    const path = roundPath(roundId);
    try {
      const body = await this.#options.fetchRound(roundId);
      if (isShownRound(body)) await this.#compare(body, { path, status: 200, body });
    } catch (error) {
      const answer = seenAnswer(path, error);
      if (answer === null) {
        this.#asked.delete(`round ${roundId}`);
        throw error;
      }
      await this.#denied(roundId, answer);
    }
  }

  async #denied(roundId: number, answer: SeenAnswer): Promise<void> {
    const receipt = await this.#receiptOf(roundId);
    if (receipt === null || ![404, 500].includes(answer.status)) return;
    const isError = answer.status === 500;
    if (isError && !this.#options.refusals.isOverdue(answer, 0)) return;
    await this.#options.report({
      kind: "round_missing",
      subject: `round ${roundId}`,
      message: isError
        ? `Round ${roundId} has been unavailable for more than ten minutes, although the house has signed a receipt of it.`
        : `Round ${roundId} is missing: the house says that there is no such round, but has signed a receipt of it.`,
      evidence: { answers: [answer] },
    });
  }

  async #receiptOf(roundId: number): Promise<RoundReceipt | null> {
    const wire = await this.#options.store.receipt(`round ${roundId}`, "settled");
    const receipt = wire && parseReceipt(wire.text);
    return receipt?.kind === "round" ? receipt : null;
  }

  async #compare(shown: ShownRound, answer: SeenAnswer): Promise<void> {
    const roundId = shown.id;
    const receipt = (await this.#receiptOf(roundId)) ?? (await this.#missingReceipt(shown, answer));
    if (receipt === null) return;
    const found = differences(receipt, shown);
    if (found.length === 0) return;
    await this.#options.report({
      kind: "round_mismatch",
      subject: `round ${roundId}`,
      message: `Round ${roundId} is not shown as the house has signed it. ${found.join(" ")}`,
      evidence: { answers: [answer] },
    });
  }

  /**
   * The receipt of a round that was played on another device. Every round that ended after the house had begun to give
   * receipts has one.
   */
  async #missingReceipt(shown: ShownRound, answer: SeenAnswer): Promise<RoundReceipt | null> {
    const { id } = shown;
    if (Date.parse(shown.createdAt) < (await this.#sinceMs()) + CLOCK_TOLERANCE_MS) return null;
    const question = `receipt ${id}`;
    const { fetchReceipt, verifyReceipt, refusals, report } = this.#options;
    const path = `${roundPath(id)}/receipt`;
    // An error is worth another question; everything else is answered once.
    if (!this.#mayAsk(question)) return null;
    try {
      return await verifyReceipt(await fetchReceipt(id));
    } catch (error) {
      this.#asked.delete(question);
      const refused = seenAnswer(path, error);
      if (refused === null) throw error;
      if (refused.status === 404 || refusals.isOverdue(refused, 0)) {
        this.#asked.add(question);
        await report(withoutReceipt(id, [answer, refused]));
      }
      return null;
    }
  }

  /** When the house was first known to give receipts: the time of the oldest one here. */
  #sinceMs(): Promise<number> {
    this.#receiptsSinceMs ??= this.#options.store
      .receipts()
      .then((receipts) => Math.min(...receipts.map(({ text }) => Date.parse(parseReceipt(text).time))));
    return this.#receiptsSinceMs;
  }
}

/** A round that is shown, but of which the house gives no receipt. */
export const withoutReceipt = (roundId: number, answers: readonly SeenAnswer[]): FoundFailure => ({
  kind: "receipt_missing",
  subject: `round ${roundId}`,
  message: `The house gives no receipt of round ${roundId}, although every round has one.`,
  evidence: { answers },
});
