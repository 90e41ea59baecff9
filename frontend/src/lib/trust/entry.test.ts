import { expect, it } from "vitest";
import { toHex, utf8 } from "./bytes";
import { bundlePath, entryIn, entryProblem } from "./entry";
import { blocksOf } from "@/lib/fairness/stream";

it("finds the file of an entry", () => {
  expect(bundlePath(0, 1)).toBe("tile/entries/000.p/1");
  expect(bundlePath(255, 256)).toBe("tile/entries/000");
  expect(bundlePath(256, 300)).toBe("tile/entries/001.p/44");
  expect(bundlePath(10, 300)).toBe("tile/entries/000");
  expect(bundlePath(256 * 1_234_067, 256 * 1_234_068)).toBe("tile/entries/x001/x234/067");
});

it("finds an entry in its file", () => {
  const bundle = Uint8Array.of(0, 2, 65, 66, 0, 0, 0, 1, 67);
  expect(entryIn(bundle, 256)).toEqual(Uint8Array.of(65, 66));
  expect(entryIn(bundle, 1)).toEqual(Uint8Array.of());
  expect(entryIn(bundle, 2)).toEqual(Uint8Array.of(67));
  expect(() => entryIn(bundle, 3)).toThrow("not in its file");
  expect(() => entryIn(bundle.slice(0, 8), 2)).toThrow("longer than its file");
});

const CLAIM = {
  game: "dice",
  rules: 2,
  stakeCents: 1000,
  payoutCents: 1980,
  serverSeed: "0123456789abcdef".repeat(4),
  clientSeed: "glasshouse",
  nonce: 0,
};
const ENTRY = { kind: "round", game: "dice", rules: 2, stake: 1000, payout: 1980, terms: {}, words: "", second: 1 };
const block = async (name: number | "cent") => toHex(await (await blocksOf({ ...CLAIM, nonce: 0 }))(name));

async function problem(change: object): Promise<string | null> {
  return entryProblem(utf8(JSON.stringify({ ...ENTRY, words: await block(0), ...change })), CLAIM);
}

it("compares an entry with the round", async () => {
  // From docs/fairness.md.
  expect((await block(0)).slice(0, 8)).toBe("9924a4b7");
  expect((await block("cent")).slice(0, 8)).toBe("06a00ce8");
  const [zero, one, cent] = await Promise.all([block(0), block(1), block("cent")]);
  for (const words of [zero, zero + one, zero + cent, zero + one + cent]) expect(await problem({ words })).toBeNull();
  for (const words of ["", one, zero + zero, cent + zero, zero + cent + one])
    expect(await problem({ words }), words).toContain("words");
  expect(await problem({ game: "crash" })).toContain("game");
  expect(await problem({ rules: 1 })).toContain("rules");
  expect(await problem({ stake: 999 })).toContain("stake");
  expect(await problem({ payout: 1981 })).toContain("payout");
  for (const change of [
    { kind: "books" },
    { player: 7 },
    { words: zero.toUpperCase() },
    { words: zero.slice(1) },
    { terms: [] },
    { payout: -1 },
  ])
    expect(await problem(change), JSON.stringify(change)).toContain("written");
  const twice = JSON.stringify({ ...ENTRY, words: zero }).replace('"terms":{}', '"terms":{},"payout":1,"x":{}');
  expect(await entryProblem(utf8(twice), CLAIM)).toContain("written");
});
