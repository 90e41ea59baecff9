import { isReceiptShape } from "./wire-shape";
import type { KeyRing } from "./key-ring";
import { ProofError } from "./proof-error";
import { openReceipt, parseReceipt, type Receipt, type RoundReceipt, type WireReceipt } from "./receipt";
import type { FoundFailure, TrustStore } from "./store";

/** The subject of a receipt, as in its own text. */
export function subjectOf(receipt: Receipt): string {
  switch (receipt.kind) {
    case "round":
      return `round ${receipt.roundId}`;
    case "pair":
      return `pair ${receipt.serverSeedHash}`;
    case "deposit":
    case "withdrawal":
      return `${receipt.kind} ${receipt.id}`;
  }
}

/** The name under which a receipt is stored. A deposit can be credited several times, once for each payment. */
const stateOf = (receipt: Receipt): string =>
  receipt.kind === "deposit" ? `${receipt.state} ${receipt.time}` : receipt.state;

/** What receipts of one round must agree on, whatever its state. */
const samePair = (one: RoundReceipt, other: RoundReceipt): boolean =>
  one.serverSeedHash === other.serverSeedHash && one.nonce === other.nonce;

/** Whether two genuine receipts of one subject and state can both be true. */
function agree(one: Receipt, other: Receipt): boolean {
  // The stake of an open round can be raised, and the client seed of an unused pair replaced.
  if (one.kind === "round" && other.kind === "round" && one.state === "open") return samePair(one, other);
  if (one.kind === "pair" && other.kind === "pair") return one.nextServerSeedHash === other.nextServerSeedHash;
  return false;
}

type Accepted = { receipt: Receipt; failures: FoundFailure[] };

/** Verifies receipts and stores them. */
export class ReceiptBook {
  readonly #userId: number;
  readonly #store: TrustStore;
  readonly #keyRing: KeyRing;

  constructor(userId: number, store: TrustStore, keyRing: KeyRing) {
    this.#userId = userId;
    this.#store = store;
    this.#keyRing = keyRing;
  }

  /** Verifies a receipt from an answer; returns what it says, or null if it does not hold, and what does not. */
  async accept(sent: unknown): Promise<Accepted | { receipt: null; failures: FoundFailure[] }> {
    if (!isReceiptShape(sent))
      return { receipt: null, failures: [invalid("a receipt", "It is incomplete.", { sent })] };
    const opened = await this.#open(sent);
    const { receipt, failures } = opened;
    if (receipt === null) return opened;
    if (receipt.player !== this.#userId) {
      const reason = "It is for another player.";
      return { receipt: null, failures: [...failures, invalid(subjectOf(receipt), reason, { sent })] };
    }
    const contradictions = await this.#contradictions(receipt, sent);
    // The first of two receipts stays the stored one; both are in the evidence.
    if (contradictions.length === 0) await this.#store.rememberReceipt(subjectOf(receipt), stateOf(receipt), sent);
    return { receipt, failures: [...failures, ...contradictions] };
  }

  async #open(wire: WireReceipt): Promise<Accepted | { receipt: null; failures: FoundFailure[] }> {
    const failures: FoundFailure[] = [];
    try {
      const newKey = await this.#keyRing.check(wire.note);
      if (newKey) failures.push(newKey);
      return { receipt: await openReceipt(wire, await this.#keyRing.keys()), failures };
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
      return { receipt: null, failures: [...failures, await this.#invalid(wire, error)] };
    }
  }

  async #invalid(wire: WireReceipt, { message }: ProofError): Promise<FoundFailure> {
    const keys = (await this.#keyRing.keys()).map(({ text }) => text);
    return invalid(subjectIn(wire.text), message, { sent: wire, keys });
  }

  async #contradictions(receipt: Receipt, wire: WireReceipt): Promise<FoundFailure[]> {
    const subject = subjectOf(receipt);
    const before = await this.#store.receipt(subject, stateOf(receipt));
    if (before && before.text !== wire.text && !agree(parseReceipt(before.text), receipt))
      return [contradiction(subject, before, wire)];
    if (receipt.kind !== "round") return [];
    const other = await this.#store.receipt(subject, receipt.state === "open" ? "settled" : "open");
    const known = other && parseReceipt(other.text);
    return other && known?.kind === "round" && !samePair(known, receipt) ? [contradiction(subject, other, wire)] : [];
  }
}

/** What an invalid receipt says that it is about. */
const subjectIn = (text: string): string => /^subject (.{1,80})$/m.exec(text)?.[1] ?? "a receipt";

const invalid = (subject: string, reason: string, evidence: object): FoundFailure => ({
  kind: "receipt_invalid",
  subject,
  message: `The receipt of ${plainSubject(subject)} is not valid. ${reason}`,
  evidence,
});

const contradiction = (subject: string, before: WireReceipt, now: WireReceipt): FoundFailure => ({
  kind: "receipt_contradicted",
  subject,
  message: `The house signed two receipts of ${plainSubject(subject)} that contradict each other.`,
  evidence: { before, now },
});

/** Without the hash of a pair, which nobody reads. */
const plainSubject = (subject: string): string => (subject.startsWith("pair ") ? "your seed pair" : subject);
