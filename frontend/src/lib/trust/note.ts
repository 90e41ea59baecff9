import { subtle } from "@/lib/fairness/stream";
import { type Bytes, concat, fromBase64, isUnicode, toHex, utf8 } from "./bytes";
import { verifyEd25519 } from "./ed25519";
import { malformed, ProofError } from "./proof-error";

// Signed notes and verifier keys, see https://c2sp.org/signed-note.

const ED25519 = 1;
const KEY_ID_LENGTH = 4;
const ED25519_KEY_LENGTH = 32;
const SIGNATURE_LENGTH = 64;
const MAX_SIGNATURES = 100;

/** A key that verifies the signatures of a name. */
export type VerifierKey = {
  name: string;
  /** Eight hexadecimal digits, by which signatures name their key. */
  id: string;
  publicKey: Bytes;
  /** The key's own text. */
  text: string;
};

type NoteSignature = { name: string; keyId: string; signature: Bytes };
export type Note = { text: string; signatures: NoteSignature[] };

const isKeyName = (name: string): boolean => /^[^\s+]+$/u.test(name);

/** The ID of a key: the beginning of SHA-256 of its name, a line end, and the key with its algorithm. */
async function keyIdOf(name: string, key: Bytes): Promise<string> {
  const digest = await subtle().digest("SHA-256", concat(utf8(`${name}\n`), key));
  return toHex(new Uint8Array(digest, 0, KEY_ID_LENGTH));
}

/** Parses `name+id+key`. Throws a ProofError unless it is a key of this algorithm, with its own ID. */
export async function parseKeyOf(algorithm: number, text: string): Promise<VerifierKey> {
  const [, name = "", id = "", encoded = ""] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(text) ?? [];
  if (!isKeyName(name)) throw malformed("A verifier key does not have the format name+id+key.");
  const key = fromBase64(encoded);
  if (key[0] !== algorithm || key.length !== 1 + ED25519_KEY_LENGTH)
    throw malformed("A verifier key is not an Ed25519 key of its kind.");
  if ((await keyIdOf(name, key)) !== id) throw malformed("A verifier key's ID does not belong to it.");
  return { name, id, publicKey: key.slice(1), text };
}

/** Parses `name+id+key`. Throws a ProofError unless it is an Ed25519 key with its own ID. */
export const parseVerifierKey = (text: string): Promise<VerifierKey> => parseKeyOf(ED25519, text);

/** Parses the published list of verifier keys, one per line. Keys of other algorithms are left out. */
export async function parseVerifierKeys(text: string): Promise<VerifierKey[]> {
  const lines = text.split("\n").filter((line) => line !== "");
  const parsed = await Promise.allSettled(lines.map(parseVerifierKey));
  return parsed.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

function parseSignature(line: string): NoteSignature {
  const [, name = "", encoded = ""] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
  if (!isKeyName(name)) throw malformed("A line of the note is not a signature.");
  const bytes = fromBase64(encoded);
  if (bytes.length <= KEY_ID_LENGTH) throw malformed("A signature of the note is too short.");
  return { name, keyId: toHex(bytes.slice(0, KEY_ID_LENGTH)), signature: bytes.slice(KEY_ID_LENGTH) };
}

/** Splits a note into its text and signatures, which are not verified. */
export function parseNote(note: string): Note {
  // oxlint-disable-next-line no-control-regex -- the format forbids them
  if (!isUnicode(note) || /[\u0000-\u0009\u000b-\u001f]/.test(note))
    throw malformed("The note contains forbidden characters.");
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || !note.endsWith("\n")) throw malformed("The note has no signatures.");
  const lines = note.slice(end + 2, -1).split("\n");
  if (lines.length > MAX_SIGNATURES) throw malformed("The note has too many signatures.");
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

/**
 * Verifies a note and returns its text and the keys that signed it. Signatures by other keys are ignored, but each one
 * by a given key must be valid, and there must be at least one.
 */
export async function openNote(
  note: string,
  keys: readonly VerifierKey[],
): Promise<{ text: string; signers: VerifierKey[] }> {
  const { text, signatures } = parseNote(note);
  const message = utf8(text);
  const signers: VerifierKey[] = [];
  for (const { name, keyId, signature } of signatures) {
    const key = keys.find((known) => known.name === name && known.id === keyId);
    if (key === undefined || signers.includes(key)) continue;
    const isValid =
      // oxlint-disable-next-line no-await-in-loop -- there is usually one
      signature.length === SIGNATURE_LENGTH && (await verifyEd25519(key.publicKey, message, signature));
    if (!isValid) throw new ProofError("signature", `The signature of ${name} is not valid.`);
    signers.push(key);
  }
  if (signers.length === 0) throw new ProofError("unknown_key", "The note is not signed by a known key.");
  return { text, signers };
}
