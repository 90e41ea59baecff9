import { expect, it } from "vitest";
import vectors from "../../../../crates/transparency/tests/vectors.json";
import { hashFromBase64, toBase64, toHex, utf8 } from "./bytes";
import { openCheckpoint } from "./checkpoint";
import { entryLine, readRoundEntry } from "./entry";
import { tilePath } from "./log-files";
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

it("hashes and reads the entries", async () => {
  for (const { leafHashHex, line } of vectors.entries) {
    expect(toHex(await leafHash(utf8(line)))).toBe(leafHashHex);
    const entry = readRoundEntry(line);
    if (entry === null) expect(line).not.toContain('"kind":"round"');
    else expect(entryLine(entry.round, entry.second)).toBe(line);
  }
  expect(vectors.entries.some(({ line }) => readRoundEntry(line) !== null)).toBe(true);
});

it("refuses every other entry", () => {
  expect(vectors.refusedEntries.length).toBeGreaterThan(8);
  for (const line of vectors.refusedEntries) expect(() => readRoundEntry(line), line).toThrow(/./);
});

it("finds the files of the log", () => {
  expect(vectors.tilePaths.length).toBeGreaterThan(3);
  for (const { index, level, path, width } of vectors.tilePaths)
    expect(tilePath(level === "entries" ? level : Number(level), index, width)).toBe(path);
});
