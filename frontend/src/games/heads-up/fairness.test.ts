import { describe, expect, it } from "vitest";
import { type Card, cardKey } from "@/lib/cards";
import { newDeck } from "@/lib/fairness/cards";
import { compareStrengths, strengthOf } from "@/lib/fairness/hand-strength";
import { sha256Hex } from "@/lib/fairness/stream";
import { cardsOf } from "@/test-support/cards";
import {
  ADDED_BETS,
  creditedBets,
  type HeadsUpClaim,
  headsUpTable,
  evaluateHands,
  qualifies,
  verifyHeadsUp,
} from "./fairness";

const SEED = "0123456789abcdef".repeat(4);

it("credits according to the table", () => {
  const results = ["win", "push", "loss"] as const;
  const row = (action: "fold" | "call" | "raise", house: boolean) =>
    results.map((result) => creditedBets(action, result, house));
  expect(row("fold", false)).toEqual([0, 0, 0]);
  expect(row("fold", true)).toEqual([0, 0, 0]);
  expect(row("call", false)).toEqual([3, 2, 1]);
  expect(row("call", true)).toEqual([4, 2, 0]);
  expect(row("raise", false)).toEqual([4, 3, 2]);
  expect(row("raise", true)).toEqual([6, 3, 0]);
});

const does = (text: string) => qualifies(strengthOf(cardsOf(text)));

it("lets the house qualify with a pair of threes or better, including the board", () => {
  expect(does("3S 3H 4D 6C 8S JD KD")).toBe(true);
  expect(does("2S 2H 4D 6C 8S JD KD")).toBe(false);
  expect(does("4S 2H AD 6C 8S JD KD")).toBe(false);
  expect(does("2S 2H AD AC 8S JD KD")).toBe(true);
  expect(does("2S 2H 2D 6C 8S JD KD")).toBe(true);
});

it("uses the best five of seven cards", () => {
  const table = { playerCards: cardsOf("AS KD"), houseCards: cardsOf("3S 4D"), board: cardsOf("2C 7D 9H 3C JS") };
  expect(evaluateHands(table)).toEqual({
    playerHand: "High Card",
    houseHand: "Pair",
    houseQualifies: true,
    showdown: "loss",
  });
  expect(evaluateHands({ ...table, board: cardsOf("2C 7D 9H AC JS") })).toMatchObject({
    playerHand: "Pair",
    houseQualifies: false,
    showdown: "win",
  });
  expect(evaluateHands({ ...table, board: cardsOf("10C JC QC KC AC") })).toMatchObject({
    houseQualifies: true,
    showdown: "push",
  });
});

/** Every pair from some cards, with the rest. */
function* pairsOf(cards: readonly Card[]): Generator<{ pair: Card[]; rest: Card[] }> {
  for (const [first, one] of cards.entries()) {
    for (const other of cards.slice(first + 1))
      yield { pair: [one, other], rest: cards.filter((card) => card !== one && card !== other) };
  }
}

it("enumerates the documented flop: A♠ K♦ on 2♣ 7♦ 9♥, over all completions", { timeout: 60_000 }, () => {
  const [player, flop] = [cardsOf("AS KD"), cardsOf("2C 7D 9H")];
  const seen = new Set([...player, ...flop].map(cardKey));
  const counts = { all: 0, wins: 0, ties: 0, unqualified: 0, qualifiedWins: 0, qualifiedTies: 0 };
  for (const { pair: turnAndRiver, rest } of pairsOf(newDeck().filter((card) => !seen.has(cardKey(card))))) {
    const board = [...flop, ...turnAndRiver];
    const own = strengthOf([...player, ...board]);
    for (const [first, one] of rest.entries()) {
      for (let second = first + 1; second < rest.length; second += 1) {
        const house = strengthOf([one, rest[second] ?? one, ...board]);
        const difference = compareStrengths(own, house);
        const isQualified = qualifies(house);
        counts.all += 1;
        if (difference > 0) counts.wins += 1;
        if (difference === 0) counts.ties += 1;
        if (!isQualified) counts.unqualified += 1;
        if (isQualified && difference > 0) counts.qualifiedWins += 1;
        if (isQualified && difference === 0) counts.qualifiedTies += 1;
      }
    }
  }
  expect(counts).toEqual({
    all: 1_070_190,
    wins: 554_077,
    ties: 11_469,
    unqualified: 340_548,
    qualifiedWins: 256_551,
    qualifiedTies: 6637,
  });
});

async function trueClaim(action: "fold" | "call" | "raise", nonce: number): Promise<HeadsUpClaim> {
  const table = await headsUpTable(SEED, "glasshouse", nonce);
  const { houseQualifies, showdown } = evaluateHands(table);
  const openingCents = 2500;
  return {
    ...table,
    serverSeed: SEED,
    serverSeedHash: await sha256Hex(SEED),
    clientSeed: "glasshouse",
    nonce,
    action,
    outcome: action === "fold" ? "fold" : showdown,
    houseQualifies,
    openingCents,
    stakedCents: openingCents * (1 + ADDED_BETS[action]),
    winCents: openingCents * creditedBets(action, showdown, houseQualifies),
  };
}

describe("verification", async () => {
  it("passes for true claims", async () => {
    for (const action of ["fold", "call", "raise"] as const) {
      for (let nonce = 0; nonce < 8; nonce += 1) {
        const { checks } = await verifyHeadsUp(await trueClaim(action, nonce));
        expect(checks.filter((check) => !check.holds)).toEqual([]);
      }
    }
    expect((await verifyHeadsUp({ ...(await trueClaim("fold", 0)), houseQualifies: null })).holds).toBe(true);
  });

  const claim = await trueClaim("call", 1);
  const falseClaims: [string, Partial<HeadsUpClaim>][] = [
    ["another seed", { serverSeed: SEED.replace("0", "1") }],
    ["another hash", { serverSeedHash: "0".repeat(64) }],
    ["another client seed", { clientSeed: "glasshouze" }],
    ["another nonce", { nonce: 2 }],
    ["hands that are exchanged", { playerCards: claim.houseCards, houseCards: claim.playerCards }],
    ["another board", { board: claim.board.toReversed() }],
    ["a house that qualifies otherwise", { houseQualifies: !claim.houseQualifies }],
    ["a house that does not tell", { houseQualifies: null }],
    ["another outcome", { outcome: claim.outcome === "win" ? "loss" : "win" }],
    ["another action", { action: "raise" }],
    ["a fold", { action: "fold", outcome: "fold", winCents: 0 }],
    ["another stake", { stakedCents: claim.stakedCents - 1 }],
    ["another opening bet", { openingCents: 500 }],
    ["another payout", { winCents: claim.winCents + 1 }],
  ];
  it.each(falseClaims)("fails for %s", async (_, lie) => {
    expect((await verifyHeadsUp({ ...claim, ...lie })).holds).toBe(false);
  });
});
