import { subtle } from "@/lib/fairness/stream";
import { type Bytes, concat, sameBytes } from "./bytes";
import { ProofError } from "./proof-error";

// Merkle trees as in RFC 6962; the verification follows RFC 9162, sections 2.1.3.2 and 2.1.4.2.

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

const sha256 = async (...parts: readonly Uint8Array[]): Promise<Bytes> =>
  new Uint8Array(await subtle().digest("SHA-256", concat(...parts)));

/** The hash of a leaf with this content. */
export const leafHash = (content: Uint8Array): Promise<Bytes> => sha256(LEAF, content);
/** The hash of a node above two others. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Bytes> => sha256(NODE, left, right);
/** The root of the tree without leaves. */
export const emptyRoot = (): Promise<Bytes> => sha256();

/** A tree: how many leaves it has, and its root. */
export type Tree = { size: number; root: Bytes };

const half = (value: number): number => Math.floor(value / 2);
const isOdd = (value: number): boolean => value % 2 === 1;

const notIncluded = () =>
  new ProofError("inclusion", "The hashes sent with it do not lead to the one that the house signed.");

/** Verifies that a leaf is at `index` of a tree; throws a ProofError if the path does not show it. */
export async function verifyInclusion(
  leaf: Uint8Array,
  index: number,
  path: readonly Uint8Array[],
  tree: Tree,
): Promise<void> {
  if (!Number.isSafeInteger(index) || index < 0 || index >= tree.size) throw notIncluded();
  let position = index;
  let last = tree.size - 1;
  let hash = new Uint8Array(leaf);
  for (const sibling of path) {
    if (last === 0) throw notIncluded();
    if (isOdd(position) || position === last) {
      // oxlint-disable-next-line no-await-in-loop -- each hash contains the previous one
      hash = await nodeHash(sibling, hash);
      while (!isOdd(position) && position !== 0) {
        position = half(position);
        last = half(last);
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
    } else hash = await nodeHash(hash, sibling);
    position = half(position);
    last = half(last);
  }
  if (last !== 0 || !sameBytes(hash, tree.root)) throw notIncluded();
}

const notConsistent = () =>
  new ProofError("consistency", "The hashes sent with it do not show that the log has only grown.");

function isPowerOfTwo(value: number): boolean {
  let rest = value;
  while (rest > 1 && !isOdd(rest)) rest = half(rest);
  return rest === 1;
}

/** Verifies that `newer` begins with all leaves of `older`; throws a ProofError if the path does not show it. */
export async function verifyConsistency(older: Tree, newer: Tree, path: readonly Uint8Array[]): Promise<void> {
  if (older.size > newer.size) throw notConsistent();
  if (older.size === newer.size || older.size === 0) {
    const isSame = older.size === newer.size ? sameBytes(older.root, newer.root) : true;
    const isEmpty = older.size === 0 ? sameBytes(older.root, await emptyRoot()) : true;
    if (path.length > 0 || !isSame || !isEmpty) throw notConsistent();
    return;
  }
  const [first, ...rest] = isPowerOfTwo(older.size) ? [older.root, ...path] : path;
  if (first === undefined) throw notConsistent();
  let position = older.size - 1;
  let last = newer.size - 1;
  while (isOdd(position)) {
    position = half(position);
    last = half(last);
  }
  let [olderHash, newerHash] = [new Uint8Array(first), new Uint8Array(first)];
  for (const sibling of rest) {
    if (last === 0) throw notConsistent();
    if (isOdd(position) || position === last) {
      // oxlint-disable-next-line no-await-in-loop -- each hash contains the previous one
      [olderHash, newerHash] = await Promise.all([nodeHash(sibling, olderHash), nodeHash(sibling, newerHash)]);
      while (!isOdd(position) && position !== 0) {
        position = half(position);
        last = half(last);
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
    } else newerHash = await nodeHash(newerHash, sibling);
    position = half(position);
    last = half(last);
  }
  if (last !== 0 || !sameBytes(olderHash, older.root) || !sameBytes(newerHash, newer.root)) throw notConsistent();
}
