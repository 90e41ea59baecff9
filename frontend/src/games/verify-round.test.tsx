import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { cardName } from "@/lib/cards";
import { sha256Hex } from "@/lib/fairness/stream";
import { wireAmount } from "@/lib/money";
import { settledRound } from "@/test-support/hands";
import { settledMines } from "@/test-support/mines";
import { creditedBets, headsUpTable, evaluateHands } from "./heads-up/fairness";
import type { SettledRound } from "./rounds/api";
import type { Verification } from "./rounds/verification";
import { verifyRound } from "./verify-round";
import { afterDraw, videoPokerCards, videoPokerMultiplier, videoPokerRank } from "./video-poker/fairness";

afterEach(cleanup);

const SEED = "0123456789abcdef".repeat(4);

async function roundFromSeeds(nonce: number, change: Parameters<typeof settledRound>[1]): Promise<SettledRound> {
  return { ...settledRound(1, change), serverSeedHash: await sha256Hex(SEED), clientSeed: "glasshouse", nonce };
}

/** The cards of a verification, row by row; held ones are marked. */
function cardsShown(verification: Verification | null): string[][] {
  cleanup();
  render(<>{verification?.evidence}</>);
  return screen
    .getAllByRole("list")
    .map((list) => Array.from(list.querySelectorAll(".sr-only"), ({ textContent }) => textContent ?? ""));
}

it("verifies a hand of video poker and shows its cards", async () => {
  const drawn = await videoPokerCards(SEED, "glasshouse", 5);
  const hand = afterDraw(drawn, [1, 4]);
  const handRank = videoPokerRank(hand);
  const multiplier = videoPokerMultiplier(handRank, false);
  const poker = { dealt: drawn.slice(0, 5), heldIndexes: [1, 4], hand, handRank, isMaxBet: false, multiplier };
  const round = await roundFromSeeds(5, { poker, winAmount: wireAmount(500 * multiplier) });
  const verification = await verifyRound(round, SEED);
  expect(verification?.holds).toBe(true);
  expect(cardsShown(verification)).toEqual([
    drawn.slice(0, 5).map((card, index) => `${cardName(card)}${[1, 4].includes(index) ? ", held" : ""}`),
    hand.map(cardName),
    drawn.slice(5).map(cardName),
  ]);
  expect((await verifyRound({ ...round, poker: { ...poker, heldIndexes: [1] } }, SEED))?.holds).toBe(false);
  expect((await verifyRound({ ...round, winAmount: "5000.00" }, SEED))?.holds).toBe(false);
});

it("verifies a hand of heads-up and shows its cards", async () => {
  const table = await headsUpTable(SEED, "glasshouse", 6);
  const { houseQualifies, showdown } = evaluateHands(table);
  const headsUp = {
    ...table,
    action: "raise",
    outcome: showdown,
    houseQualifies,
    openingBetAmount: "25.00",
    stakedAmount: "75.00",
  } as const;
  const round = await roundFromSeeds(6, {
    headsUp,
    winAmount: wireAmount(2500 * creditedBets("raise", showdown, houseQualifies)),
  });
  const verification = await verifyRound(round, SEED);
  expect(verification?.holds).toBe(true);
  expect(cardsShown(verification)).toEqual(
    [table.playerCards, table.houseCards, table.board].map((cards) => cards.map(cardName)),
  );
  expect((await verifyRound({ ...round, headsUp: { ...headsUp, stakedAmount: "50.00" } }, SEED))?.holds).toBe(false);
  expect((await verifyRound({ ...round, headsUp: { ...headsUp, board: table.board.toReversed() } }, SEED))?.holds).toBe(
    false,
  );
});

it("verifies a round of mines and shows its grid", async () => {
  const mines = { mines: 3, revealed: [0, 24, 7, 12], minePositions: [1, 5, 14], multiplier: 1.71, hitCell: null };
  const round = {
    ...settledMines(1, mines, { winAmount: "17.13" }),
    serverSeedHash: await sha256Hex(SEED),
    clientSeed: "glasshouse",
    nonce: 0,
  };
  const verification = await verifyRound(round, SEED);
  expect(verification?.holds).toBe(true);
  render(<>{verification?.evidence}</>);
  expect(screen.getByRole("img", { name: "Recomputed grid: mines on 15, 2, 6" })).toBeVisible();
  expect((await verifyRound({ ...round, winAmount: "17.12" }, SEED))?.holds).toBe(false);
});

it("uses the round's rules version, and says if it is unknown", async () => {
  // A roll of 60, and a word that rounds 49/50 up to a whole cent.
  const dice = { targetNumber: 50, betType: "over", diceResult: 60, multiplier: "1.98" } as const;
  const round = { ...(await roundFromSeeds(0, {})), dice, betAmount: "0.01" };
  const holds = async (rulesVersion: number, winAmount: string) =>
    (await verifyRound({ ...round, rulesVersion, winAmount }, SEED))?.holds;
  expect([await holds(1, "0.01"), await holds(1, "0.02")]).toEqual([true, false]);
  expect([await holds(2, "0.01"), await holds(2, "0.02")]).toEqual([false, true]);
  expect(await verifyRound({ ...round, rulesVersion: 3 }, SEED)).toBeNull();
});

it("says if it cannot verify a round", async () => {
  expect(await verifyRound(await roundFromSeeds(0, {}), SEED)).toBeNull();
});
