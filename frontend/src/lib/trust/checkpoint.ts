import { hashFromBase64, wholeNumber } from "./bytes";
import type { Tree } from "./merkle";
import { openNote, type VerifierKey } from "./note";
import { malformed, ProofError } from "./proof-error";

/** Follows the origin in the first line of the note that signs receipts, so that it never passes as a checkpoint. */
const RECEIPTS = "/receipts";

/** A tree with the line that says what it is a tree of. */
export type SignedTree = Tree & { origin: string };

function parseTree(text: string): { tree: SignedTree; extensions: string[] } {
  const [origin = "", size = "", root = "", ...extensions] = text.slice(0, -1).split("\n");
  if (!text.endsWith("\n") || origin === "" || extensions.includes("")) throw malformed("This is not a signed tree.");
  return { tree: { origin, size: wholeNumber(size), root: hashFromBase64(root) }, extensions };
}

/** Parses the text of a checkpoint of the public log, see https://c2sp.org/tlog-checkpoint. */
export function parseCheckpoint(text: string): SignedTree {
  const { tree } = parseTree(text);
  if (tree.origin.endsWith(RECEIPTS)) throw malformed("A note over receipts is not a checkpoint.");
  return tree;
}

/** Parses the text of the note that signs the receipts of one commit; returns the origin without its suffix. */
export function parseReceiptRoot(text: string): SignedTree {
  const { tree, extensions } = parseTree(text);
  if (!tree.origin.endsWith(RECEIPTS) || extensions.length > 0) throw malformed("This is not a note over receipts.");
  return { ...tree, origin: tree.origin.slice(0, -RECEIPTS.length) };
}

/** The keys whose name is the origin: the house signs as the log. */
const keysOf = (origin: string, keys: readonly VerifierKey[]) => keys.filter(({ name }) => name === origin);

async function open(
  note: string,
  origin: string,
  keys: readonly VerifierKey[],
  parse: (text: string) => SignedTree,
): Promise<SignedTree> {
  const { text } = await openNote(note, keysOf(origin, keys));
  const tree = parse(text);
  if (tree.origin !== origin) throw new ProofError("subject", `The note is about ${tree.origin}, not about ${origin}.`);
  return tree;
}

/** Verifies a checkpoint's signature and returns its tree. */
export const openCheckpoint = (note: string, origin: string, keys: readonly VerifierKey[]): Promise<SignedTree> =>
  open(note, origin, keys, parseCheckpoint);

/** Verifies the signature over the receipts of one commit and returns their tree. */
export const openReceiptRoot = (note: string, origin: string, keys: readonly VerifierKey[]): Promise<SignedTree> =>
  open(note, origin, keys, parseReceiptRoot);
