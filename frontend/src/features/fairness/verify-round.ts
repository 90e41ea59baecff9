import type { SettledRound } from "@/api/poker";
import { type Check, verifyDice } from "@/lib/fairness/dice";
import { isKnownRules, type RulesVersion } from "@/lib/fairness/cents";
import { verifyCrash } from "@/lib/fairness/crash";
import { verifyHeadsUp } from "@/lib/fairness/heads-up";
import { verifyStonks } from "@/lib/fairness/stonks";
import { verifyVideoPoker } from "@/lib/fairness/video-poker";
import { centsOf } from "@/lib/money";
import type { CardRow } from "./card-table";

export type Verification = {
  checks: Check[];
  holds: boolean;
  /** How the result follows from the stream, after "HMAC-SHA256 of …". */
  derivation: string;
  /** The recomputed market, in thousandths, and where it was sold. */
  path: { points: readonly number[]; soldAtTick: number | null } | null;
  /** The recomputed cards. */
  cards: CardRow[];
};

type Common = { serverSeed: string; serverSeedHash: string; clientSeed: string; nonce: number; rules: RulesVersion; betCents: number; winCents: number };
const CARDS = "and of the numbers after 0 gives one word a card: the card at that word times the cards left, divided by 2³², leaves the deck.";

const scaled = (value: number, by: number): number => Math.round(value * by);
const scaledOrNull = (value: number | null, by: number): number | null => (value === null ? null : scaled(value, by));
const centsOrNull = (wire: string | null): number | null => (wire === null ? null : centsOf(wire));

/** Recomputes a round of whichever game, by the rules that it was played by; null if it cannot be verified yet. */
export async function verifyRound(round: SettledRound, serverSeed: string): Promise<Verification | null> {
  const { serverSeedHash, clientSeed, nonce, dice, crash, stonks, poker, headsUp } = round;
  const rules = round.rulesVersion;
  if (!isKnownRules(rules)) return null;
  const common: Common = { serverSeed, serverSeedHash, clientSeed, nonce, rules, betCents: centsOf(round.betAmount), winCents: centsOf(round.winAmount) };
  if (dice) {
    const { word, ...verdict } = await verifyDice({ ...common, target: dice.targetNumber, side: dice.betType, roll: dice.diceResult });
    return { ...verdict, path: null, cards: [], derivation: `begins with the word ${word}; times 100, divided by 2³², rounded down, plus 1.` };
  }
  if (crash) {
    const { point, ...verdict } = await verifyCrash({
      ...common,
      autoHundredths: scaledOrNull(crash.autoCashoutMultiplier, 100),
      crashHundredths: scaled(crash.crashPoint ?? 0, 100),
      cashoutHundredths: scaledOrNull(crash.cashoutMultiplier, 100),
    });
    const instant = point.isInstant ? " Below 1.00 it crashes at once." : "";
    return { ...verdict, path: null, cards: [], derivation: `begins with the word ${point.word}; 99 times 2³² divided by it, rounded down, are the hundredths, at most 100.00.${instant}` };
  }
  if (stonks) {
    const { path, ...verdict } = await verifyStonks({
      ...common,
      targetCents: centsOrNull(stonks.autoCashoutProfit),
      path: stonks.points.map((point) => scaled(point, 1000)),
      soldAtTick: stonks.soldAtTick,
      cashoutThousandths: scaledOrNull(stonks.cashoutMultiplier, 1000),
    });
    return { ...verdict, path: { points: path, soldAtTick: stonks.soldAtTick }, cards: [], derivation: "and of the numbers after 0 gives the words of the market, two for each tick." };
  }
  if (poker) return videoPoker(poker, common);
  if (headsUp) return headsUpRound(headsUp, common);
  return null;
}

async function videoPoker(poker: NonNullable<SettledRound["poker"]>, common: Common): Promise<Verification> {
  const { drawn, hand, ...verdict } = await verifyVideoPoker({ ...common, ...poker });
  const cards = [
    { label: "Dealt", cards: drawn.slice(0, 5), held: poker.heldIndexes },
    { label: "After the draw", cards: hand },
    { label: "The five cards that replacements came from", cards: drawn.slice(5) },
  ];
  return { ...verdict, path: null, cards, derivation: CARDS };
}

async function headsUpRound(headsUp: NonNullable<SettledRound["headsUp"]>, common: Common): Promise<Verification> {
  const [openingCents, stakedCents] = [centsOf(headsUp.openingBetAmount), centsOf(headsUp.stakedAmount)];
  const { table, judged, ...verdict } = await verifyHeadsUp({ ...common, ...headsUp, openingCents, stakedCents });
  const cards = [
    { label: `You: ${judged.playerHand}`, cards: table.playerCards },
    { label: `House: ${judged.houseHand}`, cards: table.houseCards },
    { label: "Board", cards: table.board },
  ];
  return { ...verdict, path: null, cards, derivation: CARDS };
}
