import { describe, expect, it } from "vitest";
import vectors from "../../../../crates/games/tests/vectors/fairness.json";
import { isClientSeed, scale, words } from "./stream";

const SEED = "0123456789abcdef".repeat(4);

describe("the stream", () => {
  it("matches the published crash points", async () => {
    for (const [serverSeed, clientSeed, nonce, expected] of vectors.crash_point_uncapped.rows) {
      const [word = 0] = await words(String(serverSeed), String(clientSeed), Number(nonce), 1);
      const hundredths = (99n << 32n) / BigInt(word);
      expect(Number(hundredths)).toBe(Math.round(Number(expected) * 100));
    }
  });

  it("matches the published video poker cards", async () => {
    const ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
    for (const [serverSeed, clientSeed, nonce, expected] of vectors.video_poker_deal_and_draws.rows) {
      const deck = ranks.flatMap((rank) => ["D", "H", "S", "C"].map((suit) => rank + suit));
      const stream = await words(String(serverSeed), String(clientSeed), Number(nonce), 10);
      const cards = stream.map((word) => deck.splice(scale(word, deck.length), 1)[0]);
      expect(cards.join(" ")).toBe(expected);
    }
  });

  it("continues into the second block", async () => {
    const all = await words(SEED, "blocks", 3, 17);
    expect(new Set(all).size).toBe(17);
    expect(await words(SEED, "blocks", 3, 8)).toEqual(all.slice(0, 8));
  });

  it("scales exactly at both ends", () => {
    expect(scale(0, 100)).toBe(0);
    expect(scale(2 ** 32 - 1, 100)).toBe(99);
    expect(scale(42_949_672, 100)).toBe(0);
    expect(scale(42_949_673, 100)).toBe(1);
  });
});

it("validates client seeds", () => {
  for (const seed of ["a", "Z_-9", "x".repeat(64)]) expect(isClientSeed(seed)).toBe(true);
  for (const seed of ["", "a b", "a:b", "ä", "x".repeat(65)]) expect(isClientSeed(seed)).toBe(false);
});
