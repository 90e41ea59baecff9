import { diceRoll } from "@/games/dice/fairness";
import type { SettledRound } from "@/games/rounds/api";
import { blocksOf } from "@/lib/fairness/stream";
import { wireAmount } from "@/lib/money";
import { toHex } from "@/lib/trust/bytes";
import type { FairHouse } from "./fair-house";
import { settledRound } from "./hands";

const TARGET = 50;
const STAKE_CENTS = 1000;
const WIN_CENTS = 1980;

/** Plays a round of dice with the house's seeds: its details, with its receipt given and its entry published. */
export async function playDice(
  house: FairHouse,
  id: number,
  change: Partial<SettledRound> = {},
): Promise<SettledRound> {
  const { serverSeed, clientSeed, nonce } = house;
  const { serverSeedHash } = await house.state();
  const { roll } = await diceRoll(serverSeed, clientSeed, nonce);
  const payout = roll > TARGET ? WIN_CENTS : 0;
  const entry = {
    kind: "round",
    game: "dice",
    rules: 2,
    stake: STAKE_CENTS,
    payout,
    terms: { target: TARGET, side: "over" },
    words: toHex(await (await blocksOf({ serverSeed, clientSeed, nonce }))(0)),
    second: 1_795_290_535,
  };
  if (!house.lines.has(id)) house.lines.set(id, JSON.stringify(entry));
  await house.settle(id, { stake: STAKE_CENTS, payout });
  await house.publish(id);
  return {
    ...settledRound(id, {}),
    gameType: "dice",
    betAmount: wireAmount(STAKE_CENTS),
    winAmount: wireAmount(payout),
    outcome: payout > 0 ? "win" : "loss",
    serverSeedHash,
    clientSeed,
    nonce,
    dice: { targetNumber: TARGET, betType: "over", diceResult: roll, multiplier: "1.98" },
    ...change,
  };
}
