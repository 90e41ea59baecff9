import { concat, utf8 } from "./bytes";
import { verifyEd25519 } from "./ed25519";
import { parseKeyOf, parseNote, type VerifierKey } from "./note";

// What witnesses sign, see https://c2sp.org/tlog-cosignature.

/** The algorithm in a witness's key, so that a cosignature never passes as the log's signature. */
const COSIGNATURE_V1 = 4;
const TIME_LENGTH = 8;
const SIGNATURE_LENGTH = 64;

export type Cosignature =
  /** The witness has signed the checkpoint, at this second since 1970. */
  | { state: "valid"; second: number }
  /** The checkpoint does not carry a cosignature by this witness. */
  | { state: "missing" }
  /** It carries one that does not match it. */
  | { state: "invalid" };

/** Parses a witness's verifier key. Throws a ProofError unless it is one. */
export const parseWitnessKey = (text: string): Promise<VerifierKey> => parseKeyOf(COSIGNATURE_V1, text);

/** The time that precedes the signature; null if no witness can have written it. */
function secondOf(time: Uint8Array): number | null {
  const second = Number(new DataView(time.buffer, time.byteOffset).getBigUint64(0));
  return Number.isSafeInteger(second) ? second : null;
}

/**
 * Looks for a witness's cosignature in a checkpoint, whose own signature must be verified elsewhere. Of several ones
 * each must be valid, and the last one counts. Throws a ProofError if the text is not a note.
 */
export async function findCosignature(checkpoint: string, witness: VerifierKey): Promise<Cosignature> {
  const { text, signatures } = parseNote(checkpoint);
  let found: Cosignature = { state: "missing" };
  for (const { name, keyId, signature } of signatures) {
    if (name !== witness.name || keyId !== witness.id) continue;
    if (signature.length !== TIME_LENGTH + SIGNATURE_LENGTH) return { state: "invalid" };
    const second = secondOf(signature.slice(0, TIME_LENGTH));
    if (second === null) return { state: "invalid" };
    const message = utf8(`cosignature/v1\ntime ${second}\n${text}`);
    // oxlint-disable-next-line no-await-in-loop -- there is usually one
    if (!(await verifyEd25519(witness.publicKey, message, concat(signature.slice(TIME_LENGTH)))))
      return { state: "invalid" };
    found = { state: "valid", second };
  }
  return found;
}
