import { expect, it } from "vitest";
import type { SettledRound } from "@/api/poker";
import { creditedBets, headsUpTable, judge } from "@/lib/fairness/heads-up";
import { sha256Hex } from "@/lib/fairness/stream";
import { afterDraw, videoPokerCards, videoPokerMultiplier, videoPokerRank } from "@/lib/fairness/video-poker";
import { wireAmount } from "@/lib/money";
import { settledRound } from "@/test-support/hands";
import { verifyRound } from "./verify-round";

const SEED = "0123456789abcdef".repeat(4);

async function ofSeed(nonce: number, change: Parameters<typeof settledRound>[1]): Promise<SettledRound> {
  return { ...settledRound(1, change), serverSeedHash: await sha256Hex(SEED), clientSeed: "glasshouse", nonce };
}

it("verifies a hand of video poker and shows its cards", async () => {
  const drawn = await videoPokerCards(SEED, "glasshouse", 5);
  const hand = afterDraw(drawn, [1, 4]);
  const handRank = videoPokerRank(hand);
  const multiplier = videoPokerMultiplier(handRank, false);
  const poker = { dealt: drawn.slice(0, 5), heldIndexes: [1, 4], hand, handRank, isMaxBet: false, multiplier };
  const round = await ofSeed(5, { poker, winAmount: wireAmount(500 * multiplier) });
  const verification = await verifyRound(round, SEED);
  expect(verification?.holds).toBe(true);
  expect(verification?.cards.map(({ cards, held }) => [cards, held])).toEqual([
    [drawn.slice(0, 5), [1, 4]],
    [hand, undefined],
    [drawn.slice(5), undefined],
  ]);
  expect((await verifyRound({ ...round, poker: { ...poker, heldIndexes: [1] } }, SEED))?.holds).toBe(false);
  expect((await verifyRound({ ...round, winAmount: "5000.00" }, SEED))?.holds).toBe(false);
});

it("verifies a hand of heads-up and shows its cards", async () => {
  const table = await headsUpTable(SEED, "glasshouse", 6);
  const { houseQualifies, showdown } = judge(table);
  const headsUp = { ...table, action: "raise", outcome: showdown, houseQualifies, openingBetAmount: "25.00", stakedAmount: "75.00" } as const;
  const round = await ofSeed(6, { headsUp, winAmount: wireAmount(2500 * creditedBets("raise", showdown, houseQualifies)) });
  const verification = await verifyRound(round, SEED);
  expect(verification?.holds).toBe(true);
  expect(verification?.cards.map(({ cards }) => cards)).toEqual([table.playerCards, table.houseCards, table.board]);
  expect((await verifyRound({ ...round, headsUp: { ...headsUp, stakedAmount: "50.00" } }, SEED))?.holds).toBe(false);
  expect((await verifyRound({ ...round, headsUp: { ...headsUp, board: table.board.toReversed() } }, SEED))?.holds).toBe(false);
});

it("says so where it cannot verify", async () => {
  expect(await verifyRound(await ofSeed(0, {}), SEED)).toBeNull();
});
