import { expect, it, vi } from "vitest";
import { rootOf } from "@/test-support/trust";
import { type Bytes, concat, utf8 } from "./bytes";
import { LogFiles, tilePath } from "./log-files";
import { leafHash } from "./merkle";

const WIDTH = 256;
const lineOf = (index: number) => `entry ${index}`;
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, offset) => lineOf(from + offset));

/** All levels of the tiles, and the files made of them. */
async function logOf(size: number) {
  const levels: Bytes[][] = [await Promise.all(lines(0, size).map((line) => leafHash(utf8(line))))];
  for (let below = levels[0]; below !== undefined && below.length >= WIDTH; below = levels.at(-1)) {
    const tiles = Math.floor(below.length / WIDTH);
    const hashes = below;
    levels.push(
      await Promise.all(
        Array.from({ length: tiles }, (_, tile) => rootOf(hashes.slice(tile * WIDTH, (tile + 1) * WIDTH))),
      ),
    );
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
  return { tree: { size, root: await rootOf(levels[0] ?? []) }, files, fetch };
}

it.each([1, 2, 3, 20, 255, 256, 257, 300, 512, 700, 1000])("verifies entries of a log of %i", async (size) => {
  const { tree, fetch } = await logOf(size);
  const from = Math.max(0, size - 20);
  await new LogFiles(tree, fetch).verify(from, lines(from, size));
  await new LogFiles(tree, fetch).verify(0, lines(0, size));
  await new LogFiles(tree, fetch).verify(size, []);
});

it("needs few files of a large log", async () => {
  const size = WIDTH * WIDTH + 3;
  const { tree, fetch } = await logOf(size);
  await new LogFiles(tree, fetch).verify(size - 20, lines(size - 20, size));
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
