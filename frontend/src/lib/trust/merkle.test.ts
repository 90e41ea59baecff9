import { expect, it } from "vitest";
import { consistencyPath, inclusionPath, leavesOf, treeOf } from "@/test-support/trust";
import { toHex } from "./bytes";
import { emptyRoot, leafHash, nodeHash, verifyConsistency, verifyInclusion } from "./merkle";

const COUNT = 20;

/** Flips one bit of one byte. */
function changed(bytes: Uint8Array, at = 5): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

it("hashes as RFC 6962 does", async () => {
  expect(toHex(await emptyRoot())).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(toHex(await leafHash(new Uint8Array()))).toBe(
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  );
  // From the test data of the certificate transparency implementations.
  const [zero, ten] = [await leafHash(new Uint8Array()), await leafHash(Uint8Array.of(0))];
  expect(toHex(await nodeHash(zero, ten))).toBe("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125");
});

it("accepts every leaf of every tree", async () => {
  for (let size = 1; size <= COUNT; size += 1) {
    const leaves = await leavesOf(size);
    const tree = await treeOf(leaves);
    for (const [index, leaf] of leaves.entries())
      await expect(verifyInclusion(leaf, index, await inclusionPath(leaves, index), tree)).resolves.toBeUndefined();
  }
});

it("refuses a leaf if anything about its path is changed", async () => {
  for (let size = 1; size <= 9; size += 1) {
    const leaves = await leavesOf(size);
    const tree = await treeOf(leaves);
    for (const [index, leaf] of leaves.entries()) {
      const path = await inclusionPath(leaves, index);
      const refused = [
        verifyInclusion(changed(leaf), index, path, tree),
        verifyInclusion(leaf, index, path, { ...tree, root: changed(tree.root) }),
        verifyInclusion(leaf, index, [...path, leaf], tree),
        verifyInclusion(leaf, size, path, tree),
        verifyInclusion(leaf, -1, path, tree),
        verifyInclusion(leaf, index + 0.5, path, tree),
        ...path.map((_, at) => verifyInclusion(leaf, index, path.toSpliced(at, 1), tree)),
        ...path.map((hash, at) => verifyInclusion(leaf, index, path.with(at, changed(hash)), tree)),
        ...path.slice(1).map((_, at) => verifyInclusion(leaf, index, swapped(path, at), tree)),
        ...leaves.flatMap((__, other) => (other === index ? [] : [verifyInclusion(leaf, other, path, tree)])),
      ];
      await expectAll(refused, "inclusion");
    }
  }
});

const expectAll = (refused: readonly Promise<void>[], problem: string) =>
  Promise.all(refused.map((verification) => expect(verification).rejects.toMatchObject({ problem })));

/** With two neighbours exchanged. */
const swapped = <T>(list: readonly T[], at: number): T[] =>
  list.map((item, index) => (index === at ? list[at + 1] : index === at + 1 ? list[at] : item) as T);

it("accepts every older tree", async () => {
  for (let size = 0; size <= COUNT; size += 1) {
    const leaves = await leavesOf(size);
    const newer = await treeOf(leaves);
    for (let older = 0; older <= size; older += 1)
      await expect(
        verifyConsistency(await treeOf(leaves.slice(0, older)), newer, await consistencyPath(leaves, older)),
      ).resolves.toBeUndefined();
  }
});

it("refuses a tree that does not continue the older one, or a changed path", async () => {
  for (let size = 1; size <= 9; size += 1) {
    const leaves = await leavesOf(size);
    const newer = await treeOf(leaves);
    for (let count = 1; count < size; count += 1) {
      const older = await treeOf(leaves.slice(0, count));
      const path = await consistencyPath(leaves, count);
      const refused = [
        verifyConsistency({ ...older, root: changed(older.root) }, newer, path),
        verifyConsistency(older, { ...newer, root: changed(newer.root) }, path),
        verifyConsistency(newer, older, path),
        verifyConsistency(older, newer, []),
        verifyConsistency(older, newer, [...path, newer.root]),
        ...path.map((_, at) => verifyConsistency(older, newer, path.toSpliced(at, 1))),
        ...path.map((hash, at) => verifyConsistency(older, newer, path.with(at, changed(hash)))),
      ];
      await expectAll(refused, "consistency");
    }
    await expect(verifyConsistency(newer, newer, [newer.root])).rejects.toMatchObject({ problem: "consistency" });
    const other = { ...newer, root: changed(newer.root) };
    await expect(verifyConsistency(newer, other, [])).rejects.toMatchObject({ problem: "consistency" });
    const notEmpty = { size: 0, root: newer.root };
    await expect(verifyConsistency(notEmpty, newer, [])).rejects.toMatchObject({ problem: "consistency" });
  }
});

it("follows indices beyond 32 bits", async () => {
  // A leaf at the right end of a tree of 2^40 + 1 leaves hangs directly below its root.
  const [leaf, rest] = [await leafHash(Uint8Array.of(1)), await leafHash(Uint8Array.of(2))];
  const tree = { size: 2 ** 40 + 1, root: await nodeHash(rest, leaf) };
  await expect(verifyInclusion(leaf, 2 ** 40, [rest], tree)).resolves.toBeUndefined();
  await expect(verifyInclusion(leaf, 0, [rest], tree)).rejects.toMatchObject({ problem: "inclusion" });
  const older = { size: 2 ** 40, root: rest };
  await expect(verifyConsistency(older, tree, [leaf])).resolves.toBeUndefined();
});
