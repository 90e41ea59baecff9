import { sameBytes } from "./bytes";
import { parseNote, openNote, parseVerifierKey, parseVerifierKeys, type VerifierKey } from "./note";
import { ProofError } from "./proof-error";
import type { FoundFailure, TrustStore } from "./store";

/**
 * The verifier keys of the house: the published ones at the first visit, and later those that an accepted key vouches
 * for by signing the same note.
 */
export class KeyRing {
  readonly #store: TrustStore;
  readonly #fetchKeys: () => Promise<string>;
  #keys: readonly VerifierKey[] = [];
  #loading: Promise<void> | null = null;
  /** IDs of keys that nothing vouched for, so that the list is not fetched for each note. */
  readonly #ignored = new Set<string>();

  constructor(store: TrustStore, fetchKeys: () => Promise<string>) {
    this.#store = store;
    this.#fetchKeys = fetchKeys;
  }

  /** The accepted keys. */
  async keys(): Promise<readonly VerifierKey[]> {
    if (this.#keys.length === 0) {
      // Notes are verified at the same time: whoever comes first loads the keys for all of them.
      this.#loading ??= this.#load().finally(() => (this.#loading = null));
      await this.#loading;
    }
    return this.#keys;
  }

  async #load(): Promise<void> {
    const texts = await this.#store.keys();
    if (texts.length === 0) await this.#accept(await this.#published());
    else this.#keys = await Promise.all(texts.map(parseVerifierKey));
  }

  /**
   * Verifies that an accepted key signed a note, and accepts keys that signed it too. If only a new key did, it is
   * accepted, so that the change is reported once, and the failure to report is returned. Throws a ProofError if no
   * published key signed the note.
   */
  async check(note: string): Promise<FoundFailure | null> {
    try {
      await openNote(note, await this.keys());
      await this.#learnFrom(note);
      return null;
    } catch (error) {
      if (!(error instanceof ProofError) || error.problem !== "unknown_key") throw error;
      return this.#replace(note);
    }
  }

  async #learnFrom(note: string): Promise<void> {
    const known = await this.keys();
    const names = new Set(known.map(({ name }) => name));
    const others = parseNote(note).signatures.filter(
      ({ name, keyId }) => names.has(name) && !known.some(({ id }) => id === keyId) && !this.#ignored.has(keyId),
    );
    if (others.length === 0) return;
    const published = await this.#published();
    const { signers } = await openNote(note, [...known, ...published]);
    await this.#accept(signers);
    for (const { keyId } of others) this.#ignored.add(keyId);
  }

  async #replace(note: string): Promise<FoundFailure> {
    const known = await this.keys();
    const published = await this.#published();
    const { signers } = await openNote(note, published);
    await this.#accept(signers);
    const isSameKey = signers.some((signer) => known.some(({ publicKey }) => sameBytes(publicKey, signer.publicKey)));
    return {
      kind: isSameKey ? "log_restarted" : "key_changed",
      subject: signers.map(({ text }) => text).join(" "),
      message: isSameKey
        ? "The house has started a new public record. Its first entry must refer to the end of the former one."
        : "The house signs with a new key that its former key did not vouch for. Compare it with what the house has published elsewhere.",
      evidence: { knownKeys: known.map(({ text }) => text), publishedKeys: published.map(({ text }) => text), note },
    };
  }

  async #published(): Promise<VerifierKey[]> {
    const published = await parseVerifierKeys(await this.#fetchKeys());
    if (published.length === 0) throw new ProofError("unknown_key", "The house publishes no verifier key.");
    return published;
  }

  async #accept(keys: readonly VerifierKey[]): Promise<void> {
    const added = keys.filter(({ text }) => !this.#keys.some((known) => known.text === text));
    if (added.length === 0) return;
    this.#keys = [...this.#keys, ...added];
    await this.#store.rememberKeys(this.#keys.map(({ text }) => text));
  }
}
