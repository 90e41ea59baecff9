import type { KeyRing } from "@/lib/trust/key-ring";
import { FoundFailureError, type LogProof, type LogWatch } from "@/lib/trust/log-watch";
import { ProofError } from "@/lib/trust/proof-error";
import type { FoundFailure } from "@/lib/trust/store";
import { type Refusals, seenAnswer } from "./refusals";

/** Entries appear within ten seconds after their round was settled. */
const FIRST_MS = 12_000;
const RETRY_MS = 20_000;
/** Without a connection there is no end to trying; the next visit continues. */
const MAX_ATTEMPTS = 40;

type Pending = Settled & { dueMs: number; attempts: number };
/** A settled round of which the house has signed a receipt. */
export type Settled = {
  /** The leaf hash of its public entry. */
  entry: string;
  /** When this browser learned of its end. */
  sinceMs: number;
  /** Whether the log was proved to contain the entry before. */
  wasProved: boolean;
};

type Options = {
  log: LogWatch;
  keyRing: KeyRing;
  refusals: Refusals;
  fetchProof: (roundId: number) => Promise<LogProof>;
  onProved: (roundId: number, entry: string) => Promise<void>;
  onFailure: (failure: FoundFailure) => Promise<void>;
};

/** Proves settled rounds as soon as the public log contains them. */
export class PendingProofs {
  readonly #options: Options;
  readonly #rounds = new Map<number, Pending>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isBusy = false;
  #isStopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Proves a round soon. */
  add(roundId: number, round: Settled): void {
    if (this.#rounds.has(roundId)) return;
    this.#rounds.set(roundId, { ...round, dueMs: Date.now() + FIRST_MS, attempts: 0 });
    this.#schedule();
  }

  /** Proves a round at once and returns its entry, or soon and null if it is not in the log yet. */
  async proveNow(roundId: number, round: Settled): Promise<string | null> {
    this.add(roundId, round);
    const pending = this.#rounds.get(roundId);
    return pending ? this.#attempt(roundId, pending) : null;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#rounds.clear();
  }

  /** Whether rounds are being proved right now. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped || this.#isBusy || this.#rounds.size === 0) return;
    const dueMs = Math.min(...[...this.#rounds.values()].map((round) => round.dueMs));
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, dueMs - Date.now()));
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    try {
      for (const [roundId, pending] of this.#rounds) {
        if (this.#isStopped) return;
        if (pending.dueMs > Date.now()) continue;
        // oxlint-disable-next-line no-await-in-loop -- one after the other, to leave the server to the game
        await this.#attempt(roundId, pending);
      }
    } finally {
      this.#isBusy = false;
      this.#schedule();
    }
  }

  async #attempt(roundId: number, pending: Pending): Promise<string | null> {
    pending.attempts += 1;
    pending.dueMs = Date.now() + RETRY_MS;
    try {
      const line = await this.#prove(roundId, pending.entry);
      this.#rounds.delete(roundId);
      this.#options.refusals.forget(proofPath(roundId));
      return line;
    } catch (error) {
      await this.#handle(error, roundId, pending);
      return null;
    }
  }

  async #prove(roundId: number, entry: string): Promise<string> {
    const { fetchProof, keyRing, log, onFailure, onProved } = this.#options;
    const proof = await fetchProof(roundId);
    // A checkpoint that no key signed is reported as an invalid proof.
    const newKey = await keyRing.check(proof.checkpoint).catch((error: unknown) => {
      if (error instanceof ProofError) return null;
      throw error;
    });
    if (newKey) await onFailure(newKey);
    await log.prove(roundId, entry, proof, await keyRing.keys());
    await onProved(roundId, entry);
    return proof.entry;
  }

  async #handle(error: unknown, roundId: number, pending: Pending): Promise<void> {
    if (error instanceof FoundFailureError) {
      this.#rounds.delete(roundId);
      await this.#options.onFailure(error.failure);
    } else if (await this.#isMissing(error, roundId, pending)) {
      this.#rounds.delete(roundId);
    } else {
      console.info(`Round ${roundId} could not be proved yet`, error);
      if (pending.attempts >= MAX_ATTEMPTS) this.#rounds.delete(roundId);
    }
  }

  /** Reports an entry that the house should be able to prove; returns whether it did. */
  async #isMissing(error: unknown, roundId: number, { entry, sinceMs, wasProved }: Pending): Promise<boolean> {
    const answer = seenAnswer(proofPath(roundId), error);
    if (answer === null) return false;
    const isGone = wasProved && answer.status === 404;
    if (!isGone && !this.#options.refusals.isOverdue(answer, sinceMs)) return false;
    await this.#options.onFailure({
      kind: "entry_missing",
      subject: `round ${roundId}`,
      message: wasProved
        ? `Round ${roundId} was in the public record before, but the house cannot prove it any more.`
        : `Round ${roundId} is not in the public record, although the house signed that it would be.`,
      evidence: { entry, answers: [answer] },
    });
    return true;
  }
}

const proofPath = (roundId: number): string => `/api/rounds/${roundId}/proof`;
