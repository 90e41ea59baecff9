import { expect, it, vi } from "vitest";
import { rootOf } from "@/test-support/trust";
import { type Bytes, concat, toBase64, utf8 } from "./bytes";
import { LogFiles, tilePath } from "./log-files";
import { leafHash } from "./merkle";

const WIDTH = 256;
const lineOf = (index: number) => `entry ${index}`;
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, offset) => lineOf(from + offset));

/** Hashes once what has the same key. */
function memoised<T>(keyOf: (input: T) => string, hash: (input: T) => Promise<Bytes>) {
  const known = new Map<string, Promise<Bytes>>();
  return (input: T): Promise<Bytes> => {
    const key = keyOf(input);
    const found = known.get(key) ?? hash(input);
    known.set(key, found);
    return found;
  };
}

/** The root of a tree by its definition, from the roots of the full tiles, so that these are computed only once. */
async function rootFrom(leaves: Bytes[], tiles: Bytes[]): Promise<Bytes> {
  if (leaves.length <= WIDTH) return rootOf(leaves);
  const left = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1);
  const right = await rootFrom(leaves.slice(left), tiles.slice(left / WIDTH));
  return rootOf([await rootOf(tiles.slice(0, left / WIDTH)), right]);
}

/** All levels of the tiles, and the files made of them. Nothing that repeats is hashed again. */
async function logOf(size: number, entryAt = lineOf) {
  const leafOf = memoised(
    (line: string) => line,
    (line) => leafHash(utf8(line)),
  );
  const tileOf = memoised((hashes: Bytes[]) => toBase64(concat(...hashes)), rootOf);
  const leaves = await Promise.all(Array.from({ length: size }, (_, index) => leafOf(entryAt(index))));
  const levels: Bytes[][] = [leaves];
  for (let below = levels[0]; below !== undefined && below.length >= WIDTH; below = levels.at(-1)) {
    const hashes = below;
    const tiles = Array.from({ length: Math.floor(below.length / WIDTH) }, (_, tile) =>
      hashes.slice(tile * WIDTH, (tile + 1) * WIDTH),
    );
    levels.push(await Promise.all(tiles.map(tileOf)));
  }
  const files = new Map<string, Bytes>();
  for (const [level, hashes] of levels.entries())
    for (let tile = 0; tile * WIDTH < hashes.length; tile += 1) {
      const own = hashes.slice(tile * WIDTH, (tile + 1) * WIDTH);
      files.set(tilePath(level, tile, own.length), concat(...own));
    }
  const fetch = vi.fn((path: string) => {
    const file = files.get(path);
    return file ? Promise.resolve(file) : Promise.reject(new Error(`no file ${path}`));
  });
  return { tree: { size, root: await rootFrom(leaves, levels[1] ?? []) }, leaves, files, fetch };
}

it.each([1, 2, 3, 20, 255, 256, 257, 300, 512, 700, 1000])("verifies entries of a log of %i", async (size) => {
  const { tree, leaves, fetch } = await logOf(size);
  expect(tree.root).toEqual(await rootOf(leaves));
  const from = Math.max(0, size - 20);
  await new LogFiles(tree, fetch).verify(from, lines(from, size));
  await new LogFiles(tree, fetch).verify(0, lines(0, size));
  await new LogFiles(tree, fetch).verify(size, []);
});

it("needs few files of a large log", async () => {
  const size = WIDTH * WIDTH + 3;
  const entryAt = (index: number) => lineOf(index % WIDTH);
  const { tree, fetch } = await logOf(size, entryAt);
  const last = Array.from({ length: 20 }, (_, offset) => entryAt(size - 20 + offset));
  await new LogFiles(tree, fetch).verify(size - 20, last);
  expect(fetch.mock.calls.map(([path]) => path).toSorted()).toEqual([
    "tile/0/255",
    "tile/0/256.p/3",
    "tile/1/000",
    "tile/2/000.p/1",
  ]);
});

it("refuses other entries, another order, another root and other files", async () => {
  const { tree, fetch, files } = await logOf(300);
  const isRefused = async (from: number, entries: string[], changed = tree) =>
    expect(new LogFiles(changed, fetch).verify(from, entries)).rejects.toMatchObject({ name: "ProofError" });
  await isRefused(298, [lineOf(298), "another"]);
  await isRefused(298, [lineOf(299), lineOf(298)]);
  await isRefused(299, lines(299, 301));
  await isRefused(-1, lines(0, 2));
  await isRefused(298, lines(298, 300), { size: 300, root: await leafHash(utf8("another")) });
  for (const path of ["tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1"]) {
    const file = files.get(path) ?? new Uint8Array();
    const changed = file.slice();
    changed[5] = (changed[5] ?? 0) ^ 1;
    for (const other of [changed, file.slice(1), concat(file, file.slice(0, 32))]) {
      files.set(path, other);
      await isRefused(250, lines(250, 300));
    }
    files.set(path, file);
  }
  await new LogFiles(tree, fetch).verify(250, lines(250, 300));
});

it("passes on that a file could not be loaded", async () => {
  const { tree } = await logOf(3);
  const files = new LogFiles(tree, () => Promise.reject(new TypeError("down")));
  await expect(files.verify(0, lines(0, 3))).rejects.toThrow("down");
});
