import { type Bytes, HASH_LENGTH, sameBytes, utf8 } from "./bytes";
import { emptyRoot, leafHash, nodeHash, type Tree } from "./merkle";
import { malformed, ProofError } from "./proof-error";

// The files of the public log, see https://c2sp.org/tlog-tiles. A tile has up to 256 hashes of a level: those of level 0
// are the entries', and each hash of a higher level is the root of a full tile of the level below.

/** How many hashes a full tile has. */
const WIDTH = 256;

type FetchFile = (path: string) => Promise<Bytes>;

/** The number of a file: groups of three digits, all but the last with an x. */
function numberPath(number: number): string {
  const groups =
    String(number)
      .padStart(Math.ceil(String(number).length / 3) * 3, "0")
      .match(/.../g) ?? [];
  return groups.map((group, index) => (index === groups.length - 1 ? group : `x${group}`)).join("/");
}

/** Where a tile of hashes or, instead of a level, a bundle of entries is. */
export const tilePath = (level: number | "entries", index: number, width: number): string =>
  `tile/${level}/${numberPath(index)}${width === WIDTH ? "" : `.p/${width}`}`;

/** The root above hashes whose number is a power of two. */
async function rootOf(hashes: readonly Bytes[]): Promise<Bytes> {
  const [only] = hashes;
  if (only !== undefined && hashes.length === 1) return only;
  const half = hashes.length / 2;
  const [left, right] = await Promise.all([rootOf(hashes.slice(0, half)), rootOf(hashes.slice(half))]);
  return nodeHash(left, right);
}

function largestPowerOfTwo(limit: number): number {
  let power = 1;
  while (power * 2 <= limit) power *= 2;
  return power;
}

/** The roots of the largest complete trees above the hashes, from left to right. */
async function peaksOf(hashes: readonly Bytes[]): Promise<Bytes[]> {
  const peaks: Promise<Bytes>[] = [];
  for (let at = 0; at < hashes.length;) {
    const width = largestPowerOfTwo(hashes.length - at);
    peaks.push(rootOf(hashes.slice(at, at + width)));
    at += width;
  }
  return Promise.all(peaks);
}

const notInTree = () => new ProofError("inclusion", "The files of the log do not have the root that the house signed.");

/** Reads the hashes of a signed tree from the files of the log, and verifies them against its root. */
export class LogFiles {
  readonly #tree: Tree;
  readonly #fetch: FetchFile;
  /** Of each level the last tile, unless that is full. */
  #edge: Promise<readonly (readonly Bytes[])[]> | null = null;
  readonly #tiles = new Map<string, Promise<readonly Bytes[]>>();

  constructor(tree: Tree, fetch: FetchFile) {
    this.#tree = tree;
    this.#fetch = fetch;
  }

  /** Verifies that these are the entries from an index on. Throws a ProofError if they are not. */
  async verify(from: number, entries: readonly string[]): Promise<void> {
    if (from < 0 || from + entries.length > this.#tree.size) throw notInTree();
    await Promise.all(
      entries.map(async (entry, offset) => {
        const index = from + offset;
        const hashes = await this.#verified(0, Math.floor(index / WIDTH));
        const expected = hashes[index % WIDTH];
        if (expected === undefined || !sameBytes(await leafHash(utf8(entry)), expected))
          throw new ProofError("inclusion", `Entry ${index} is not the one in the log.`);
      }),
    );
  }

  /** How many hashes a level has. */
  #count(level: number): number {
    return Math.floor(this.#tree.size / WIDTH ** level);
  }

  async #read(level: number, index: number, width: number): Promise<Bytes[]> {
    const bytes = await this.#fetch(tilePath(level, index, width));
    if (bytes.length !== width * HASH_LENGTH) throw malformed("A file of the log does not have its length.");
    return Array.from({ length: width }, (_, at) => bytes.slice(at * HASH_LENGTH, (at + 1) * HASH_LENGTH));
  }

  async #readEdge(): Promise<readonly (readonly Bytes[])[]> {
    const levels: Promise<Bytes[]>[] = [];
    for (let level = 0; this.#count(level) > 0; level += 1) {
      const count = this.#count(level);
      const width = count % WIDTH;
      levels.push(width === 0 ? Promise.resolve([]) : this.#read(level, Math.floor(count / WIDTH), width));
    }
    const edge = await Promise.all(levels);
    const peaks = (await Promise.all(edge.toReversed().map(peaksOf))).flat();
    let root = peaks.at(-1) ?? (await emptyRoot());
    for (const peak of peaks.slice(0, -1).toReversed()) {
      // oxlint-disable-next-line no-await-in-loop -- each hash contains the previous one
      root = await nodeHash(peak, root);
    }
    if (!sameBytes(root, this.#tree.root)) throw notInTree();
    return edge;
  }

  /** The hashes of a tile: the last ones lead to the root, and the others to a hash of the tile above. */
  async #verified(level: number, index: number): Promise<readonly Bytes[]> {
    this.#edge ??= this.#readEdge();
    const edge = await this.#edge;
    if (index === Math.floor(this.#count(level) / WIDTH)) return edge[level] ?? [];
    const key = `${level} ${index}`;
    const known = this.#tiles.get(key) ?? this.#readFull(level, index);
    this.#tiles.set(key, known);
    return known;
  }

  async #readFull(level: number, index: number): Promise<readonly Bytes[]> {
    const [hashes, above] = await Promise.all([
      this.#read(level, index, WIDTH),
      this.#verified(level + 1, Math.floor(index / WIDTH)),
    ]);
    const expected = above[index % WIDTH];
    if (expected === undefined || !sameBytes(await rootOf(hashes), expected)) throw notInTree();
    return hashes;
  }
}
