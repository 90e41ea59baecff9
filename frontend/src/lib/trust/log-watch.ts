import { fromHex, hashFromBase64, sameBytes, toBase64, utf8 } from "./bytes";
import { openCheckpoint, type SignedTree } from "./checkpoint";
import { leafHash, type Tree, verifyConsistency, verifyInclusion } from "./merkle";
import type { VerifierKey } from "./note";
import { ProofError } from "./proof-error";
import type { FoundFailure, TrustStore } from "./store";

/** That an entry is in the public log. */
export type LogProof = { index: number; entry: string; path: readonly string[]; checkpoint: string };
export type FetchConsistency = (from: number, to: number) => Promise<string[]>;

/** A failure that was found while something was proved. */
export class FoundFailureError extends Error {
  constructor(readonly failure: FoundFailure) {
    super(failure.message);
    this.name = "FoundFailureError";
  }
}

/** Another tab replaced the checkpoint each time. */
const MAX_ATTEMPTS = 5;

/** Verifies that entries are in the public log, and that the log only grows. */
export class LogWatch {
  readonly #store: TrustStore;
  readonly #fetchConsistency: FetchConsistency;

  constructor(store: TrustStore, fetchConsistency: FetchConsistency) {
    this.#store = store;
    this.#fetchConsistency = fetchConsistency;
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
    return openCheckpoint(checkpoint, checkpoint.split("\n", 1)[0] ?? "", keys);
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

  async #compare(known: { note: string; tree: Tree }, shown: { note: string; tree: Tree }): Promise<void> {
    const [older, newer] = known.tree.size <= shown.tree.size ? [known.tree, shown.tree] : [shown.tree, known.tree];
    const needsPath = older.size > 0 && older.size < newer.size;
    const path = needsPath ? await this.#fetchConsistency(older.size, newer.size) : [];
    try {
      await verifyConsistency(older, newer, path.map(hashFromBase64));
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
      throw new FoundFailureError({
        kind: "log_forked",
        subject: `${toBase64(known.tree.root)} ${toBase64(shown.tree.root)}`,
        message: "The public record was changed: it does not continue the one that this browser saw before.",
        evidence: { checkpointBefore: known.note, checkpointNow: shown.note, consistencyPath: path },
      });
    }
  }
}
