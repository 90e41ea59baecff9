import { fromHex, hashFromBase64, sameBytes, toBase64, utf8 } from "./bytes";
import { openCheckpoint, type SignedTree } from "./checkpoint";
import { leafHash, verifyConsistency, verifyInclusion } from "./merkle";
import type { VerifierKey } from "./note";
import { ProofError } from "./proof-error";
import type { FoundFailure, TrustStore } from "./store";

/** That an entry is in the public log. */
export type LogProof = { index: number; entry: string; path: readonly string[]; checkpoint: string };
/** How the log is read. */
export type LogCalls = {
  /** Null if the log does not have these sizes. */
  fetchConsistency(from: number, to: number): Promise<string[] | null>;
  /** The newest checkpoint; null if there is no log. */
  fetchCheckpoint(): Promise<string | null>;
};

/** A failure that was found while something was proved. */
export class FoundFailureError extends Error {
  constructor(readonly failure: FoundFailure) {
    super(failure.message);
    this.name = "FoundFailureError";
  }
}

/** The name of the log in the first line of a checkpoint. */
const originOf = (checkpoint: string): string => checkpoint.split("\n", 1)[0] ?? "";

/** Another tab replaced the checkpoint each time. */
const MAX_ATTEMPTS = 5;

/** Verifies that entries are in the public log, and that the log only grows. */
export class LogWatch {
  readonly #store: TrustStore;
  readonly #calls: LogCalls;

  constructor(store: TrustStore, calls: LogCalls) {
    this.#store = store;
    this.#calls = calls;
  }

  /**
   * Verifies that the entry with this leaf hash is in the log, and that the log continues the one that was seen before.
   * Throws a FoundFailureError if it does not.
   */
  async prove(roundId: number, entry: string, proof: LogProof, keys: readonly VerifierKey[]): Promise<SignedTree> {
    try {
      const leaf = fromHex(entry);
      if (!sameBytes(await leafHash(utf8(proof.entry)), leaf))
        throw new ProofError("subject", "The published entry is not the one that the receipt names.");
      const tree = await this.#open(proof.checkpoint, keys);
      await verifyInclusion(leaf, proof.index, proof.path.map(hashFromBase64), tree);
      await this.#follow(proof.checkpoint, tree, keys);
      return tree;
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
      const evidence = { entry, proof, keys: keys.map(({ text }) => text) };
      throw new FoundFailureError({
        kind: "log_invalid",
        subject: `round ${roundId}`,
        message: `The proof that round ${roundId} is in the public record is not valid. ${error.message}`,
        evidence,
      });
    }
  }

  /**
   * Verifies a checkpoint's signature, and that its log continues the one that was seen before. Throws a ProofError or a
   * FoundFailureError if it does not.
   */
  async follow(checkpoint: string, keys: readonly VerifierKey[]): Promise<SignedTree> {
    const tree = await this.#open(checkpoint, keys);
    await this.#follow(checkpoint, tree, keys);
    return tree;
  }

  /** Which log it is follows from the key that signed: a key's name is its log. */
  #open(checkpoint: string, keys: readonly VerifierKey[]): Promise<SignedTree> {
    return openCheckpoint(checkpoint, originOf(checkpoint), keys);
  }

  /** Verifies that a checkpoint and the newest known one are of the same log, and keeps the newer one. */
  async #follow(note: string, tree: SignedTree, keys: readonly VerifierKey[]): Promise<void> {
    const { origin } = tree;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- another tab can change it in between
      const known = await this.#store.checkpoint(origin);
      if (known === note) return;
      if (known !== undefined) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const before = await openCheckpoint(known, origin, keys);
        // oxlint-disable-next-line no-await-in-loop -- as above
        await this.#compare({ note: known, tree: before }, { note, tree });
        if (tree.size <= before.size) return;
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (await this.#store.replaceCheckpoint(origin, known, note)) return;
    }
  }

  async #compare(known: Shown, shown: Shown): Promise<void> {
    const [older, newer] = known.tree.size <= shown.tree.size ? [known.tree, shown.tree] : [shown.tree, known.tree];
    const needsPath = older.size > 0 && older.size < newer.size;
    const path = needsPath ? await this.#calls.fetchConsistency(older.size, newer.size) : [];
    if (path !== null) {
      try {
        await verifyConsistency(older, newer, path.map(hashFromBase64));
        return;
      } catch (error) {
        if (!(error instanceof ProofError)) throw error;
      }
    }
    // Only the log that is being written has proofs of consistency.
    const current = await this.#calls.fetchCheckpoint();
    if (current !== null && originOf(current) !== shown.tree.origin) return;
    if (path === null && shown.tree.size >= known.tree.size) throw new Error("the log is behind its own checkpoint");
    throw new FoundFailureError(path === null ? truncated(known, shown) : forked(known, shown, path));
  }
}

type Shown = { note: string; tree: SignedTree };

const rootsOf = (known: Shown, shown: Shown): string => `${toBase64(known.tree.root)} ${toBase64(shown.tree.root)}`;

const forked = (known: Shown, shown: Shown, path: readonly string[]): FoundFailure => ({
  kind: "log_forked",
  subject: rootsOf(known, shown),
  message: "The public record was changed: it does not continue the one that this browser saw before.",
  evidence: { checkpointBefore: known.note, checkpointNow: shown.note, consistencyPath: path },
});

const truncated = (known: Shown, shown: Shown): FoundFailure => ({
  kind: "log_truncated",
  subject: rootsOf(known, shown),
  message: `The public record was cut: it had ${known.tree.size} entries that the house signed, and has ${shown.tree.size} now.`,
  evidence: { checkpointBefore: known.note, checkpointNow: shown.note },
});
