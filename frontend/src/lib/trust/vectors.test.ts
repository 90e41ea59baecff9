import { expect, it } from "vitest";
import vectors from "../../../../crates/transparency/tests/vectors.json";
import { fromHex, hashFromBase64, toBase64, toHex, utf8 } from "./bytes";
import { openCheckpoint } from "./checkpoint";
import { bundlePath, entryIn, entryProblem } from "./entry";
import { leafHash, verifyConsistency, verifyInclusion } from "./merkle";
import { openNote, parseVerifierKey, parseVerifierKeys, type VerifierKey } from "./note";
import { openReceipt, parseReceipt } from "./receipt";

// The examples that the tests of the server write: both must agree on every format.

const parseKeys = (keys: string[]): Promise<VerifierKey[]> => Promise.all(keys.map(parseVerifierKey));
const keys = await parseKeys(vectors.verifierKeys);
const rotatedKeys = await parseKeys(vectors.rotatedVerifierKeys);
const otherKeys = await parseKeys(vectors.otherVerifierKeys);

it("reads the receipts", async () => {
  expect(vectors.receipts.length).toBeGreaterThan(6);
  for (const receipt of vectors.receipts) {
    expect(await openReceipt(receipt, keys)).toEqual(parseReceipt(receipt.text));
    await expect(openReceipt(receipt, otherKeys)).rejects.toMatchObject({ problem: "unknown_key" });
    await expect(openReceipt({ ...receipt, index: receipt.index ^ 1 }, keys)).rejects.toMatchObject({
      problem: "inclusion",
    });
  }
});

it("refuses every other text of a receipt", () => {
  expect(vectors.refusedReceiptTexts.length).toBeGreaterThan(10);
  for (const text of vectors.refusedReceiptTexts) expect(() => parseReceipt(text), text).toThrow(/./);
});

it("verifies the checkpoints, also while two keys sign", async () => {
  for (const { note, rotatedNote, root, size } of vectors.log.checkpoints) {
    const tree = { origin: vectors.origin, size, root: hashFromBase64(root) };
    expect(await openCheckpoint(note, vectors.origin, keys)).toEqual(tree);
    for (const known of [keys, rotatedKeys, rotatedKeys.slice(1)])
      expect(await openCheckpoint(rotatedNote, vectors.origin, known)).toEqual(tree);
    expect((await openNote(rotatedNote, rotatedKeys)).signers).toEqual(rotatedKeys);
  }
});

it("refuses every other note", async () => {
  for (const { note, reason } of vectors.refusedNotes)
    await expect(openCheckpoint(note, vectors.origin, keys), reason).rejects.toThrow(/./);
});

it("ignores cosignatures and the keys of witnesses", async () => {
  const { note, witnessKey } = vectors.cosigned;
  expect((await openCheckpoint(note, vectors.origin, keys)).size).toBe(7);
  expect(await parseVerifierKeys([...vectors.verifierKeys, witnessKey].join("\n"))).toEqual(keys);
});

it("verifies inclusion and consistency", async () => {
  const { inclusion, consistency } = vectors.log;
  expect(inclusion.length).toBeGreaterThan(20);
  for (const { index, leafHash: leaf, path, root, size } of inclusion) {
    const tree = { size, root: hashFromBase64(root) };
    await verifyInclusion(hashFromBase64(leaf), index, path.map(hashFromBase64), tree);
    expect(toBase64(await leafHash(utf8(`entry ${index}`)))).toBe(leaf);
  }
  expect(consistency.length).toBeGreaterThan(50);
  for (const { oldRoot, oldSize, newRoot, newSize, path } of consistency) {
    const [older, newer] = [
      { size: oldSize, root: hashFromBase64(oldRoot) },
      { size: newSize, root: hashFromBase64(newRoot) },
    ];
    await verifyConsistency(older, newer, path.map(hashFromBase64));
    if (oldSize !== newSize)
      await expect(verifyConsistency(older, newer, [...path, newRoot].map(hashFromBase64))).rejects.toThrow(/./);
  }
});

it("reads the entries of a bundle", async () => {
  const bundle = fromHex(vectors.entryBundleHex);
  for (const [index, { leafHashHex, line }] of vectors.entries.entries()) {
    const entry = entryIn(bundle, index);
    expect(new TextDecoder().decode(entry)).toBe(line);
    expect(toHex(await leafHash(entry))).toBe(leafHashHex);
  }
});

it("finds the bundles", () => {
  const bundles = vectors.tilePaths.filter(({ level }) => level === "entries");
  expect(bundles.length).toBeGreaterThan(1);
  for (const { index, path, width } of bundles) expect(bundlePath(index * 256, index * 256 + width)).toBe(path);
});

it("refuses every other entry", async () => {
  const seeds = { serverSeed: "0", clientSeed: "0", nonce: 0 };
  const claim = { game: "dice", rules: 2, stakeCents: 1000, payoutCents: 1980, ...seeds };
  for (const line of vectors.refusedEntries) expect(await entryProblem(utf8(line), claim), line).toContain("written");
});
