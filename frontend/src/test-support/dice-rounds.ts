import { diceRoll, publishedDice } from "@/games/dice/fairness";
import type { SettledRound } from "@/games/rounds/api";
import { publishedFrom, type PublishedRound } from "@/lib/fairness/published";
import { wireAmount } from "@/lib/money";
import { entryLine } from "@/lib/trust/entry";
import type { FairHouse } from "./fair-house";
import { settledRound } from "./hands";

const TARGET = 50;
const STAKE_CENTS = 1000;
const WIN_CENTS = 1980;
/** The second of the receipts' time. */
const SECOND = 1_795_290_535;

/** Plays a round of dice with the house's seeds: its details, with its receipt given and its entry published, which can be changed. */
export async function playDice(
  house: FairHouse,
  id: number,
  changedEntry: Partial<PublishedRound> = {},
): Promise<SettledRound> {
  const { serverSeed, clientSeed, nonce } = house;
  const { serverSeedHash } = await house.state();
  const { roll } = await diceRoll(serverSeed, clientSeed, nonce);
  const payout = roll > TARGET ? WIN_CENTS : 0;
  const terms = { target: TARGET, side: "over" };
  const published = await publishedFrom(
    publishedDice,
    { serverSeed, clientSeed, nonce },
    { rules: 2, stake: STAKE_CENTS, terms },
  );
  if (!house.lines.has(id)) house.lines.set(id, entryLine({ ...published, ...changedEntry }, SECOND));
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
  };
}
