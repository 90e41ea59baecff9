import { NOTHING } from "@/lib/fairness/exact-payout";
import { type Check, type RoundClaim, winCheck } from "@/lib/fairness/check";
import { fieldsOf, isWhole, publishedGame } from "@/lib/fairness/published";
import { scale, sha256Hex, words } from "@/lib/fairness/stream";
import { dicePayout, type DiceSide } from "./payout";

export { dicePayout, dicePayoutCents, type DiceSide, winningNumbers } from "./payout";

export const diceWins = (roll: number, target: number, side: DiceSide): boolean =>
  side === "over" ? roll > target : roll <= target;

const rollOf = (word: number): number => scale(word, 100) + 1;

/** The roll of a round, and the word it was derived from. */
export async function diceRoll(
  serverSeed: string,
  clientSeed: string,
  nonce: number,
): Promise<{ word: number; roll: number }> {
  const [word = 0] = await words(serverSeed, clientSeed, nonce, 1);
  return { word, roll: rollOf(word) };
}

export type DiceClaim = RoundClaim & { target: number; side: DiceSide; roll: number };

/** Recomputes a round and compares each part of the claim with the result. */
export async function verifyDice(claim: DiceClaim): Promise<{ word: number; checks: Check[]; holds: boolean }> {
  const hash = await sha256Hex(claim.serverSeed);
  const { word, roll } = await diceRoll(claim.serverSeed, claim.clientSeed, claim.nonce);
  const isWin = diceWins(roll, claim.target, claim.side);
  const payout = isWin ? dicePayout(claim.betCents, claim.target, claim.side) : NOTHING;
  const checks: Check[] = [
    {
      name: "Hash of the server seed",
      claimed: claim.serverSeedHash,
      computed: hash,
      holds: hash === claim.serverSeedHash,
    },
    { name: "Roll", claimed: String(claim.roll), computed: String(roll), holds: roll === claim.roll },
    await winCheck(payout, claim),
  ];
  return { word, checks, holds: checks.every((check) => check.holds) };
}

const MAX_STAKE_CENTS = 100_000;

/** The player's choices as they are published. */
export type DiceTerms = { target: number; side: DiceSide };

function readTerms(json: unknown): DiceTerms | null {
  const { target, side } = fieldsOf(json);
  return isWhole(target, 1, 98) && (side === "over" || side === "under") ? { target, side } : null;
}

export const publishedDice = publishedGame("dice", readTerms, (stakeCents, { target, side }, draw) => {
  const isWin = diceWins(rollOf(draw()), target, side);
  if (!isWhole(stakeCents, 1, MAX_STAKE_CENTS)) return null;
  return isWin ? dicePayout(stakeCents, target, side) : NOTHING;
});
