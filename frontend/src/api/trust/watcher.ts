import { NoWebCryptoError } from "@/lib/fairness/stream";
import {
  checkGap,
  checkRevealed,
  observeState,
  rememberRevealed,
  type ShownPair,
  type ShownState,
} from "@/lib/trust/commitments";
import { withReceipts } from "@/lib/trust/concerned";
import { evidenceOf } from "@/lib/trust/evidence";
import { KeyRing } from "@/lib/trust/key-ring";
import { FoundFailureError, LogWatch } from "@/lib/trust/log-watch";
import { ProofError } from "@/lib/trust/proof-error";
import { parseReceipt, type RoundReceipt } from "@/lib/trust/receipt";
import { ReceiptBook } from "@/lib/trust/receipt-book";
import type { ProofStatus } from "@/lib/trust/records";
import { type FoundFailure, TrustStore } from "@/lib/trust/store";
import { receiptsIn } from "@/lib/trust/wire-shape";
import { type Answer, HISTORY, ROUND } from "./answers";
import * as serverCalls from "./calls";
import { PendingProofs, type Settled } from "./pending-proofs";
import { Refusals, seenAnswer } from "./refusals";
import { publishRound, publishStatus } from "./status";
import { ShownRounds, withoutReceipt } from "./shown-rounds";
import { isRotation, isState, pairsIn } from "./shapes";

/** The calls that the watcher makes; tests have their own. */
export type Calls = Pick<
  typeof serverCalls,
  | "fetchKeys"
  | "fetchFairness"
  | "fetchPairs"
  | "fetchRound"
  | "fetchProof"
  | "fetchReceipt"
  | "fetchConsistency"
  | "fetchCheckpoint"
>;

const SEEDS = "/api/fairness";
/** A gap in the known pairs is closed by at most this many pages of former pairs. */
const MAX_PAGES = 50;
/** The log as a whole is compared with what was seen before. */
const CHECKPOINT = "/log/checkpoint";
/** The house refuses bets, because it cannot write its log. */
const UNAVAILABLE = 503;
const RETRY_MS = 20_000;
/** A page without connection must not collect answers without end. */
const MAX_RETRIES = 5;

/** What is publicly recorded of a round. */
export type PublicRecord = {
  /** Null if the server has no receipt of the round, or if it does not hold. */
  receipt: RoundReceipt | null;
  /** Undefined if there is no receipt. */
  status: ProofStatus | undefined;
  /** Its public entry; null if that is not proved to be in the log. */
  entry: string | null;
};

/** Verifies what the server commits to and signs, while a player is signed in. */
export class Watcher {
  readonly #userId: number;
  readonly #calls: Calls;
  readonly #store: TrustStore;
  readonly #keyRing: KeyRing;
  readonly #receipts: ReceiptBook;
  readonly #log: LogWatch;
  readonly #refusals = new Refusals();
  readonly #pending: PendingProofs;
  readonly #shown: ShownRounds;
  /** Answers are verified one after the other, in the order in which they came. */
  #queue: Promise<void> = Promise.resolve();
  #hasAskedForSeeds = false;
  #isStopped = false;
  readonly #retries = new Set<ReturnType<typeof setTimeout>>();

  constructor(userId: number, store: TrustStore = new TrustStore(userId), calls: Calls = serverCalls) {
    this.#userId = userId;
    this.#store = store;
    this.#calls = calls;
    this.#keyRing = new KeyRing(store, () => calls.fetchKeys());
    this.#receipts = new ReceiptBook(userId, store, this.#keyRing);
    this.#log = new LogWatch(store, calls);
    const refusals = this.#refusals;
    this.#pending = new PendingProofs({
      log: this.#log,
      keyRing: this.#keyRing,
      refusals,
      fetchProof: (roundId) => calls.fetchProof(roundId),
      onProved: (roundId, entry) => this.#noteRound(roundId, "proved", entry),
      onFailure: (failure) => this.#report([failure]),
    });
    this.#shown = new ShownRounds({
      store,
      refusals,
      fetchRound: (roundId) => calls.fetchRound(roundId),
      fetchReceipt: (roundId) => calls.fetchReceipt(roundId),
      verifyReceipt: (sent) => this.#verifyReceipt(sent),
      report: (failure) => this.report(failure),
    });
  }

  /** Shows what is known from earlier visits and continues with what was not proved then. */
  async start(): Promise<void> {
    const rounds = await this.#store.rounds();
    if (this.#isStopped) return;
    publishStatus({ rounds: new Map(rounds.map(({ roundId, status }) => [roundId, status])) });
    for (const { roundId, status, entry, settledMs } of rounds)
      if (status === "recorded" && entry !== null)
        this.#pending.add(roundId, { entry, sinceMs: settledMs ?? Date.now(), wasProved: false });
    await this.#publishFailures();
    this.#enqueue({ path: CHECKPOINT, body: null }, 0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#pending.stop();
    for (const timer of this.#retries) clearTimeout(timer);
  }

  /** Verifies an answer, after those that came before. */
  readonly receive = (answer: Answer): void => this.#enqueue(answer, 0);

  /** Whether rounds are being proved right now. */
  get isBusy(): boolean {
    return this.#pending.isBusy;
  }

  /** Resolves when everything received so far is verified. */
  async settled(): Promise<void> {
    let queue: Promise<void>;
    do {
      queue = this.#queue;
      // oxlint-disable-next-line no-await-in-loop -- more may have come in the meantime
      await queue;
    } while (queue !== this.#queue);
  }

  #enqueue(answer: Answer, attempt: number): void {
    this.#queue = this.#queue.then(async () => {
      if (this.#isStopped) return;
      try {
        await this.#verify(answer);
      } catch (error) {
        this.#handleFault(error, answer, attempt);
      }
    });
  }

  /** A fault says nothing about the house, so the answer is verified again later. */
  #handleFault(error: unknown, answer: Answer, attempt: number): void {
    if (error instanceof NoWebCryptoError) {
      publishStatus({ canVerify: false });
      return;
    }
    console.info(`The answer to ${answer.path} could not be verified yet`, error);
    if (attempt >= MAX_RETRIES) return;
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      this.#enqueue(answer, attempt + 1);
    }, RETRY_MS);
    this.#retries.add(timer);
  }

  async #verify({ path, body, call }: Answer): Promise<void> {
    if (path === CHECKPOINT || call?.status === UNAVAILABLE) await this.#followLog();
    else if (path === HISTORY && call) await this.#shown.history(body, call);
    else if (path === ROUND && call) await this.#verifyRound({ path, body, call });
    else if (path.startsWith(SEEDS)) await this.#verifySeeds(body);
    for (const sent of receiptsIn(body)) {
      // oxlint-disable-next-line no-await-in-loop -- a receipt can depend on the one before
      await this.#verifyReceipt(sent);
    }
  }

  /** Compares the newest checkpoint with the one that was seen before. */
  async #followLog(): Promise<void> {
    const note = await this.#calls.fetchCheckpoint();
    if (note === null) return;
    try {
      await this.#report([await this.#keyRing.check(note)].filter((failure) => failure !== null));
      await this.#log.follow(note, await this.#keyRing.keys());
    } catch (error) {
      if (error instanceof FoundFailureError) await this.#report([error.failure]);
      else if (error instanceof ProofError) await this.#report([invalidCheckpoint(note, error)]);
      else throw error;
    }
  }

  async #verifyRound({ body, call }: Required<Answer>): Promise<void> {
    await this.#shown.round(body, call);
    await this.#report(await checkRevealed(this.#store, pairsIn([body])));
  }

  async #verifySeeds(body: unknown): Promise<void> {
    if (isRotation(body)) {
      const { revealed, current } = body;
      await this.#report(await checkRevealed(this.#store, [revealed]));
      await rememberRevealed(this.#store, revealed, current);
      await this.#observe(current);
    } else if (isState(body)) await this.#observe(body);
    else await this.#report(await checkRevealed(this.#store, pairsIn(body)));
  }

  async #observe(shown: ShownState): Promise<void> {
    const { failures, gap } = await observeState(this.#store, shown);
    await this.#report(failures);
    if (gap === null) return;
    const former: ShownPair[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      // oxlint-disable-next-line no-await-in-loop -- each page has the cursor of the next
      const { entries, next } = await this.#calls.fetchPairs(cursor);
      former.push(...entries);
      if (next === null || entries.some(({ serverSeedHash }) => serverSeedHash === gap.serverSeedHash)) {
        // oxlint-disable-next-line no-await-in-loop -- the last turn
        await this.#reportGap(checkGap(gap, former, shown.serverSeedHash), shown);
        return;
      }
      cursor = next;
    }
  }

  /** Reports a pair that was not committed to, unless it was replaced while its answer was on the way. */
  async #reportGap(failures: readonly FoundFailure[], shown: ShownState): Promise<void> {
    if (failures.length === 0) return;
    const current = await this.#calls.fetchFairness();
    if (current.serverSeedHash === shown.serverSeedHash) await this.#report(failures);
  }

  /** Verifies a receipt and returns it if it is a valid one of a round. */
  async #verifyReceipt(sent: unknown): Promise<RoundReceipt | null> {
    const { receipt, failures } = await this.#receipts.accept(sent);
    await this.#report(failures);
    if (receipt === null) return null;
    if (receipt.kind === "pair") {
      const known = await this.#store.commitment(receipt.serverSeedHash);
      await this.#observe({ ...receipt, nonce: known?.nonce ?? 0 });
    }
    if (receipt.kind !== "round") return null;
    await this.#noteUse(receipt);
    await this.#noteRound(receipt.roundId, "recorded", receipt.entry);
    if (receipt.entry !== null) this.#pending.add(receipt.roundId, await this.#settled(receipt.roundId, receipt.entry));
    return receipt;
  }

  async #settled(roundId: number, entry: string): Promise<Settled> {
    const known = await this.#store.round(roundId);
    return { entry, sinceMs: known?.settledMs ?? Date.now(), wasProved: known?.status === "proved" };
  }

  /**
   * From its first round on, a pair's client seed is fixed. One by the house may have been replaced on another device
   * before that round.
   */
  async #noteUse({ serverSeedHash, nonce }: RoundReceipt): Promise<void> {
    const known = await this.#store.commitment(serverSeedHash);
    if (known?.clientSeedBy === "house") return;
    if (known) await this.#store.rememberCommitment({ ...known, nonce: Math.max(known.nonce, nonce + 1) });
    else if (!this.#hasAskedForSeeds) {
      this.#hasAskedForSeeds = true;
      // The answer is received like any other.
      await this.#calls.fetchFairness();
    }
  }

  async #noteRound(roundId: number, status: ProofStatus, entry: string | null): Promise<void> {
    const stored = await this.#store.rememberRound(roundId, status, entry);
    if (!this.#isStopped) publishRound(roundId, stored);
  }

  async #report(failures: readonly FoundFailure[]): Promise<void> {
    if (failures.length === 0) return;
    for (const failure of failures) {
      // oxlint-disable-next-line no-await-in-loop -- there is rarely more than one
      await this.report(failure);
    }
  }

  /** Keeps and shows a failure that was found here or elsewhere. */
  async report(found: FoundFailure): Promise<void> {
    const failure = await withReceipts(this.#store, found);
    console.warn(failure.message);
    await this.#store.rememberFailure(failure);
    const [, roundId] = /^round (\d+)$/.exec(failure.subject) ?? [];
    if (roundId !== undefined) await this.#noteRound(Number(roundId), "failed", null);
    await this.#publishFailures();
  }

  async #publishFailures(): Promise<void> {
    const failures = (await this.#store.failures()).filter(({ isClosed }) => !isClosed);
    if (!this.#isStopped) publishStatus({ failures, isPersistent: this.#store.isPersistent });
  }

  /** Asks for a round's receipt and proof, also if they are known from before, and verifies them. */
  async publicRecord(roundId: number): Promise<PublicRecord> {
    await this.settled();
    const stored = await this.#store.receipt(`round ${roundId}`, "settled");
    const sent = await this.#fetchReceipt(roundId, stored !== undefined);
    const fetched = sent === null ? null : await this.#verifyReceipt(sent);
    const receipt = stored === undefined ? fetched : await this.#verifyReceipt(stored);
    const entry =
      receipt?.entry == null
        ? null
        : await this.#pending.proveNow(roundId, await this.#settled(roundId, receipt.entry));
    const isInvalid = sent !== null && fetched === null;
    return { receipt, status: isInvalid ? "failed" : (await this.#store.round(roundId))?.status, entry };
  }

  /** The settled rounds of a pair of which the house has signed a receipt. */
  async roundsOfPair(serverSeedHash: string): Promise<number[]> {
    const receipts = (await this.#store.receipts()).map(({ text }) => parseReceipt(text));
    return receipts.flatMap((receipt) =>
      receipt.kind === "round" && receipt.state === "settled" && receipt.serverSeedHash === serverSeedHash
        ? [receipt.roundId]
        : [],
    );
  }

  /** Null if the house gives none, which is reported if it has given one before. */
  async #fetchReceipt(roundId: number, isKnown: boolean): Promise<unknown> {
    const path = `/api/rounds/${roundId}/receipt`;
    try {
      const sent = await this.#calls.fetchReceipt(roundId);
      this.#refusals.forget(path);
      return sent;
    } catch (error) {
      const answer = seenAnswer(path, error);
      const isDenied = answer?.status === 404;
      if (answer === null || (!isDenied && !isKnown)) throw error;
      if (isKnown && (isDenied || this.#refusals.isOverdue(answer, 0)))
        await this.#report([withoutReceipt(roundId, [answer])]);
      return null;
    }
  }

  /** Everything that others need to check what was found. */
  evidence(): Promise<object> {
    return evidenceOf(this.#store, this.#userId, Date.now());
  }

  /** The player has saved the evidence and wants the messages closed. */
  async closeFailures(): Promise<void> {
    await this.#store.closeFailures();
    await this.#publishFailures();
  }
}

const invalidCheckpoint = (note: string, { message }: ProofError): FoundFailure => ({
  kind: "log_invalid",
  subject: "checkpoint",
  message: `The checkpoint of the public record is not valid. ${message}`,
  evidence: { checkpoint: note },
});
