import { expect, it } from "vitest";
import { crashRounds } from "./crash/rounds";
import { diceRounds } from "./dice/rounds";
import { headsUpRounds } from "./heads-up/rounds";
import { isRoundOf, isWin, recordOf } from "./rounds/game-rounds";
import { stonksRounds } from "./stonks/rounds";
import { videoPokerRounds } from "./video-poker/rounds";

const crash = recordOf({
  id: 7,
  gameType: "crash",
  betAmount: "10.00",
  winAmount: "0.00",
  outcome: "loss",
  crashPoint: 1.24,
  autoCashoutMultiplier: 2,
});
const dice = recordOf({
  id: 8,
  gameType: "dice",
  betAmount: "10.00",
  winAmount: "19.80",
  outcome: "win",
  diceResult: 58,
  targetNumber: 50,
  betType: "over",
});
const stonks = recordOf({
  id: 9,
  gameType: "stonks",
  betAmount: "10.00",
  winAmount: "12.39",
  outcome: "win (1.23x)",
  cashoutMultiplier: 1.239,
});
const headsUp = recordOf({
  id: 10,
  gameType: "poker",
  pokerGame: "headsUp",
  betAmount: "50.00",
  winAmount: "25.00",
  outcome: "loss (heads-up)",
  action: "call",
});
const hand = recordOf({
  id: 11,
  gameType: "poker",
  pokerGame: "videoPoker",
  betAmount: "1.00",
  winAmount: "8.00",
  outcome: "win (Full House)",
  handRank: "Full House",
});
const ALL = [
  [crashRounds, crash],
  [diceRounds, dice],
  [stonksRounds, stonks],
  [headsUpRounds, headsUp],
  [videoPokerRounds, hand],
] as const;

it("shows the result of a round on a chip, and the crash point of a lost crash round", () => {
  expect(ALL.map(([game, entry]) => game.resultText(entry))).toEqual([
    "1.24×",
    "58",
    "1.239×",
    "−$25.00",
    "Full House",
  ]);
  expect(crashRounds.resultText({ ...crash, cashoutMultiplier: 2, crashPoint: 3 })).toBe("2.00×");
  const { cashoutMultiplier: _, ...crashed } = stonks;
  expect(stonksRounds.resultText(crashed)).toBe("0.000×");
});

it("describes terms and result of every game", () => {
  expect(ALL.map(([game, entry]) => game.detailText(entry))).toEqual([
    "Crash point 1.24×, automatic at 2.00×",
    "Rolled 58, over 50",
    "Sold at 1.239×",
    "Heads-up, call",
    "Jacks or Better",
  ]);
  expect(diceRounds.columns.terms.cell({ ...dice, betType: "under" })).toBe("50 or under");
});

it("computes the profit, and distinguishes the games", () => {
  expect([crash, dice].map(({ profit }) => profit)).toEqual(["-10.00", "9.80"]);
  expect([isWin(dice), isWin(crash)]).toEqual([true, false]);
  for (const [game] of ALL) expect(ALL.filter(([, entry]) => isRoundOf(game, entry)).map(([of]) => of)).toEqual([game]);
});
