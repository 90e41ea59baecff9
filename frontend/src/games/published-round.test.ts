import { describe, expect, it } from "vitest";
import { ImpossibleRoundError, publishedFrom, publishedPayout, type PublishedRound } from "@/lib/fairness/published";
import { wireAmount } from "@/lib/money";
import { completeHand, settledRound } from "@/test-support/hands";
import { cardsOf } from "@/test-support/cards";
import vectors from "../../../crates/games/tests/vectors/published.json";
import { expectedPublished, loadPublishedGames, recomputePublished } from "./published-round";
import { GAMES } from "./registry";
import type { SettledRound } from "./rounds/api";

const { serverSeed, clientSeed } = vectors;
const games = await loadPublishedGames();
type Row = PublishedRound & { nonce: number };
const rounds: Row[] = vectors.rounds;
const refused: Row[] = vectors.refused;

function gameOf({ game }: PublishedRound) {
  const found = games.get(game);
  if (!found) throw new Error(`${game} has no verifier`);
  return found;
}

/** Whether a published round is verified. */
async function holds(round: PublishedRound): Promise<boolean> {
  try {
    return (await recomputePublished(round))?.holds ?? false;
  } catch (error) {
    if (error instanceof ImpossibleRoundError) return false;
    throw error;
  }
}

describe.each([...games.keys()])("published rounds of %s", (game) => {
  const own = rounds.filter((round) => round.game === game);

  it("have the payout that follows from words and terms", async () => {
    expect(own).toHaveLength(24);
    for (const round of own) {
      expect(publishedPayout(gameOf(round), round)).toBe(round.payout);
      expect(await recomputePublished(round)).toEqual({ payout: round.payout, holds: true });
    }
  });

  it("have the words and the payout that follow from seeds and terms", async () => {
    for (const { nonce, ...round } of own) {
      const seeds = { serverSeed, clientSeed, nonce };
      const { rules, stake, terms } = round;
      const computed = await publishedFrom(gameOf(round), seeds, { rules, stake, terms });
      expect(computed).toEqual(round);
      expect(JSON.stringify(computed)).toBe(JSON.stringify(round));
    }
  });

  it("are refused with a change that the server refuses", async () => {
    const changed = refused.filter((round) => round.game === game);
    expect(changed.length).toBeGreaterThan(8);
    for (const round of changed) expect([round.terms, await holds(round)]).toEqual([round.terms, false]);
  });

  it("are refused with another payout, block, version or game", async () => {
    for (const round of own) {
      const isRounded = (await lengthUnder(round, 1)) !== (await lengthUnder(round, 2));
      const changes: Partial<PublishedRound>[] = [
        { payout: round.payout + 1 },
        { payout: round.payout - 1 },
        { words: round.words.slice(0, -64) },
        { words: round.words + "0".repeat(64) },
        { words: round.words.slice(0, -2) },
        { words: `${round.words}0g`.slice(2) },
        { words: round.words.toUpperCase() },
        { rules: 0 },
        { rules: 3 },
        { stake: 0 },
        { stake: -round.stake },
        { stake: round.stake + 0.5 },
        { stake: 1_000_000 },
        { terms: null },
        { terms: [] },
        { terms: { ...Object(round.terms), player: 7 } },
        { game: "roulette" },
        ...(isRounded ? [{ rules: 3 - round.rules }] : []),
        ...[...games.keys()].filter((other) => other !== game).map((other) => ({ game: other })),
      ];
      for (const change of changes) expect([change, await holds({ ...round, ...change })]).toEqual([change, false]);
    }
  });
});

/** The number of digits of a round's words under a rules version. */
async function lengthUnder(round: Row, rules: number): Promise<number> {
  const { stake, terms, nonce } = round;
  const published = await publishedFrom(gameOf(round), { serverSeed, clientSeed, nonce }, { rules, stake, terms });
  return published.words.length;
}

it("every game has published rounds", () => {
  expect(games.size).toBe(GAMES.length);
  expect(new Set(rounds.map(({ game }) => game))).toEqual(new Set(games.keys()));
});

const PARTS: Record<string, (terms: never) => Partial<SettledRound>> = {
  dice: ({ target, side }: { target: number; side: "over" | "under" }) => ({
    dice: { targetNumber: target, betType: side, diceResult: 1, multiplier: "1.98" },
  }),
  crash: (terms: { curve: "linear"; autoCashoutHundredths: number | null; cashoutHundredths: number | null }) => ({
    crash: {
      curve: terms.curve,
      autoCashoutMultiplier: terms.autoCashoutHundredths === null ? null : terms.autoCashoutHundredths / 100,
      cashoutMultiplier: terms.cashoutHundredths === null ? null : terms.cashoutHundredths / 100,
      crashPoint: 2,
    },
  }),
  stonks: ({ autoSellCents, soldAtTick }: { autoSellCents: number | null; soldAtTick: number | null }) => ({
    stonks: {
      autoCashoutProfit: autoSellCents === null ? null : wireAmount(autoSellCents),
      soldAtTick,
      points: [1],
      cashoutMultiplier: null,
    },
  }),
  video_poker: ({ held }: { held: number[] }) => ({
    poker: {
      dealt: cardsOf("2S 3H JD JC 9S"),
      hand: cardsOf("2S 3H JD JC 9S"),
      heldIndexes: held,
      handRank: "HIGH_CARD",
      isMaxBet: false,
      multiplier: 0,
    },
  }),
  heads_up: ({ betCents, action }: { betCents: number; action: "fold" | "call" | "raise" }) => {
    const { playerCards, board } = completeHand(1);
    const cards = { playerCards, board, houseCards: board.slice(0, 2) };
    const amounts = { openingBetAmount: wireAmount(betCents), stakedAmount: wireAmount(betCents) };
    return { headsUp: { ...cards, ...amounts, action, outcome: "win", houseQualifies: true } };
  },
  mines: ({ mines, revealed }: { mines: number; revealed: number[] }) => ({
    mines: { mines, revealed, minePositions: [], multiplier: null, hitCell: null },
  }),
};

it("what must be published follows from the player's own round", async () => {
  for (const { nonce, ...published } of rounds) {
    const round: SettledRound = {
      ...settledRound(1, {}),
      ...PARTS[published.game]?.(published.terms as never),
      nonce,
      clientSeed,
      rulesVersion: published.rules,
      betAmount: wireAmount(published.stake),
    };
    expect(JSON.stringify(await expectedPublished(round, serverSeed))).toBe(JSON.stringify(published));
  }
  expect(await expectedPublished(settledRound(1, {}), serverSeed)).toBeNull();
  expect(await recomputePublished({ ...(rounds[0] as Row), game: "roulette" })).toBeNull();
});
