import { describe, expect, it } from "vitest";
import { rankOf, searched, withIds, withLatest } from "./search";

const entry = (label: string, ...keywords: string[]) => ({ id: label, label, keywords });
const dice = entry("Dice");
const poker = entry("Jacks or Better Poker", "Video poker", "cards");
const headsUp = entry("Heads-up Poker", "Hold'em");
const deposit = entry("Deposit", "add money", "Bitcoin");
const ALL = [dice, poker, headsUp, deposit];
const labels = (query: string) => searched(query, ALL).map(({ label }) => label);

describe("searching", () => {
  it("keeps all entries in their order for an empty query", () => {
    expect(labels("  ")).toEqual(ALL.map(({ label }) => label));
  });

  it("ranks the beginning of a label before its words, keywords and other parts", () => {
    expect(rankOf("di", dice)).toBe(0);
    expect(rankOf("poker", poker)).toBe(1);
    expect(rankOf("money", deposit)).toBe(2);
    expect(rankOf("osit", deposit)).toBe(3);
    expect(rankOf("roulette", dice)).toBeNull();
  });

  it("finds words in any order, and needs all of them", () => {
    expect(labels("poker jacks")).toEqual(["Jacks or Better Poker"]);
    expect(labels("poker dice")).toEqual([]);
    expect(labels("video better")).toEqual(["Jacks or Better Poker"]);
  });

  it("ignores case, accents and punctuation", () => {
    expect(labels("DÍCE")).toEqual(["Dice"]);
    expect(labels("heads up")).toEqual(["Heads-up Poker"]);
    expect(labels("hold em")).toEqual(["Heads-up Poker"]);
  });

  it("keeps the order of equally good entries", () => {
    expect(labels("poker")).toEqual(["Jacks or Better Poker", "Heads-up Poker"]);
    expect(searched("poker", ALL.toReversed()).map(({ label }) => label)).toEqual([
      "Heads-up Poker",
      "Jacks or Better Poker",
    ]);
  });

  it("puts better matches first, wherever they stand", () => {
    expect(labels("de")).toEqual(["Deposit"]);
    expect(searched("be", [poker, entry("Bets")]).map(({ label }) => label)).toEqual(["Bets", "Jacks or Better Poker"]);
  });
});

describe("recent results", () => {
  it("puts the latest first, once, and forgets the oldest", () => {
    expect(withLatest(["a", "b"], "c", 3)).toEqual(["c", "a", "b"]);
    expect(withLatest(["a", "b"], "b", 3)).toEqual(["b", "a"]);
    expect(withLatest(["a", "b", "c"], "d", 3)).toEqual(["d", "a", "b"]);
  });

  it("leaves out what no longer exists", () => {
    expect(withIds(["Deposit", "gone", "Dice"], ALL)).toEqual([deposit, dice]);
  });
});
