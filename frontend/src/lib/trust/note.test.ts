import { afterEach, expect, it, vi } from "vitest";
import { houseWith, leavesOf, ORIGIN, treeOf } from "@/test-support/trust";
import { fromBase64, fromHex, toBase64 } from "./bytes";
import { openCheckpoint, openReceiptRoot } from "./checkpoint";
import { verifyEd25519 } from "./ed25519";
import { verifyWithLibrary } from "./ed25519-library";
import { openNote, parseNote, parseVerifierKey, parseVerifierKeys } from "./note";

afterEach(() => void vi.restoreAllMocks());

// From RFC 8032, section 7.1.
const RFC_8032 = [
  {
    key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    message: "",
    signature:
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  },
  {
    key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    message: "72",
    signature:
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  },
];

it.each([
  ["the browser", verifyEd25519],
  ["the library", verifyWithLibrary],
])("verifies Ed25519 with %s", async (_, verify) => {
  for (const vector of RFC_8032) {
    const [key, message, signature] = [fromHex(vector.key), fromHex(vector.message), fromHex(vector.signature)];
    expect(await verify(key, message, signature)).toBe(true);
    for (let at = 0; at < signature.length; at += 1) {
      const wrong = signature.with(at, (signature[at] ?? 0) ^ 1);
      expect(await verify(key, message, new Uint8Array(wrong))).toBe(false);
    }
    expect(await verify(key, Uint8Array.of(1, 2), signature)).toBe(false);
    expect(await verify(fromHex("02".repeat(32)), message, signature)).toBe(false);
    expect(await verify(key, message, signature.slice(1))).toBe(false);
  }
});

it("uses the library where the browser lacks Ed25519", async () => {
  vi.resetModules();
  const refuse = vi
    .spyOn(crypto.subtle, "importKey")
    .mockRejectedValue(new DOMException("unrecognized name", "NotSupportedError"));
  const { verifyEd25519: verify } = await import("./ed25519");
  const [vector] = RFC_8032;
  if (!vector) throw new Error("there is a vector");
  const [key, message, signature] = [fromHex(vector.key), fromHex(vector.message), fromHex(vector.signature)];
  expect(await verify(key, message, signature)).toBe(true);
  expect(await verify(key, Uint8Array.of(1), signature)).toBe(false);
  // WebCrypto is asked only once.
  expect(refuse).toHaveBeenCalledTimes(1);
});

// The example of https://pkg.go.dev/golang.org/x/mod/sumdb/note.
const GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const GO_TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const GO_NOTE = `${GO_TEXT}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;

it("verifies a note that Go's package signed", async () => {
  const key = await parseVerifierKey(GO_KEY);
  expect(await openNote(GO_NOTE, [key])).toEqual({ text: GO_TEXT, signers: [key] });
});

it("refuses a note with any single character changed", async () => {
  const keys = [await parseVerifierKey(GO_KEY)];
  for (let at = 0; at < GO_NOTE.length; at += 1) {
    for (const replacement of ["", GO_NOTE[at] === "A" ? "B" : "A"]) {
      const note = GO_NOTE.slice(0, at) + replacement + GO_NOTE.slice(at + 1);
      await expect(openNote(note, keys), `${at}: ${replacement}`).rejects.toThrow(/./);
    }
  }
  await expect(openNote(`${GO_NOTE}\n`, keys)).rejects.toMatchObject({ problem: "format" });
  await expect(openNote(GO_NOTE.replace("If", "If\r"), keys)).rejects.toMatchObject({ problem: "format" });
  await expect(openNote(GO_NOTE.replace("If", "\ud800"), keys)).rejects.toMatchObject({ problem: "format" });
});

it("refuses a verifier key with any single character changed", async () => {
  for (let at = 0; at < GO_KEY.length; at += 1) {
    const key = GO_KEY.slice(0, at) + (GO_KEY[at] === "A" ? "B" : "A") + GO_KEY.slice(at + 1);
    await expect(parseVerifierKey(key), key).rejects.toMatchObject({ problem: "format" });
  }
  expect(await parseVerifierKeys(`${GO_KEY}\nwitness+00000000+BAAA\n\n`)).toHaveLength(1);
});

it("ignores signatures by others, but not a wrong one by a known key", async () => {
  const [house, other] = await Promise.all([houseWith(1), houseWith(2, "witness.example")]);
  const keys = [await parseVerifierKey(house.key)];
  const note = await house.sign("text\n");
  const foreign = (await other.sign("text\n")).slice("text\n\n".length);
  expect((await openNote(`${note}${foreign}`, keys)).signers).toEqual(keys);
  expect((await openNote(`text\n\n${foreign}${note.slice("text\n\n".length)}`, keys)).signers).toEqual(keys);
  await expect(openNote(await other.sign("text\n"), keys)).rejects.toMatchObject({ problem: "unknown_key" });
  const forged = note.replace("text", "next");
  await expect(openNote(forged, keys)).rejects.toMatchObject({ problem: "signature" });
  // A key of the same name with another ID is another key.
  const successor = await houseWith(3);
  await expect(openNote(await successor.sign("text\n"), keys)).rejects.toMatchObject({ problem: "unknown_key" });
});

it("has limits", async () => {
  const { sign } = await houseWith();
  const note = await sign("text\n");
  const line = note.slice("text\n\n".length);
  expect(parseNote(`text\n\n${line.repeat(100)}`).signatures).toHaveLength(100);
  expect(() => parseNote(`text\n\n${line.repeat(101)}`)).toThrow("too many");
});

it("distinguishes checkpoints from notes over receipts", async () => {
  const house = await houseWith();
  const keys = [await parseVerifierKey(house.key)];
  const tree = await treeOf(await leavesOf(5));
  const checkpoint = await house.signTree(tree);
  expect(await openCheckpoint(checkpoint, ORIGIN, keys)).toEqual({ origin: ORIGIN, ...tree });
  const receipts = await house.sign(`${ORIGIN}/receipts\n5\n${toBase64(tree.root)}\n`);
  expect(await openReceiptRoot(receipts, ORIGIN, keys)).toEqual({ origin: ORIGIN, ...tree });
  await expect(openCheckpoint(receipts, ORIGIN, keys)).rejects.toMatchObject({ problem: "format" });
  await expect(openReceiptRoot(checkpoint, ORIGIN, keys)).rejects.toMatchObject({ problem: "format" });
  const elsewhere = await house.sign(`other.example\n5\n${toBase64(tree.root)}\n`);
  await expect(openCheckpoint(elsewhere, ORIGIN, keys)).rejects.toMatchObject({ problem: "subject" });
});

it("refuses trees in another format", async () => {
  const house = await houseWith();
  const keys = [await parseVerifierKey(house.key)];
  const root = toBase64((await treeOf(await leavesOf(5))).root);
  const short = toBase64(fromBase64(root).slice(1));
  for (const lines of [["05", root], ["-1", root], ["9007199254740993", root], ["5", short], ["5"], ["5", root, ""]])
    await expect(
      openCheckpoint(await house.sign([ORIGIN, ...lines, ""].join("\n")), ORIGIN, keys),
      lines.join(),
    ).rejects.toMatchObject({ problem: "format" });
  const extended = await house.sign([ORIGIN, "5", root, "an extension", ""].join("\n"));
  expect((await openCheckpoint(extended, ORIGIN, keys)).size).toBe(5);
  const receipts = await house.sign([`${ORIGIN}/receipts`, "5", root, "an extension", ""].join("\n"));
  await expect(openReceiptRoot(receipts, ORIGIN, keys)).rejects.toMatchObject({ problem: "format" });
});
