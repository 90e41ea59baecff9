import { scale, sha256Hex, words } from "./stream";

export type DiceSide = "over" | "under";

/** How many of the hundred rolls win. */
export const winningNumbers = (target: number, side: DiceSide): number => (side === "over" ? 100 - target : target);

/** What a win pays: `floor(bet × 99 / winning numbers)` cents, exactly. */
export function dicePayoutCents(betCents: number, target: number, side: DiceSide): number {
  return Number((BigInt(betCents) * 99n) / BigInt(winningNumbers(target, side)));
}

export const diceWins = (roll: number, target: number, side: DiceSide): boolean => (side === "over" ? roll > target : roll <= target);

/** The roll of a round, and the word it came from. */
export async function diceRoll(serverSeed: string, clientSeed: string, nonce: number): Promise<{ word: number; roll: number }> {
  const [word = 0] = await words(serverSeed, clientSeed, nonce, 1);
  return { word, roll: scale(word, 100) + 1 };
}

export type DiceClaim = {
  serverSeed: string;
  serverSeedHash: string;
  clientSeed: string;
  nonce: number;
  target: number;
  side: DiceSide;
  betCents: number;
  roll: number;
  winCents: number;
};

export type Check = { name: string; claimed: string; computed: string; holds: boolean };

/** Recomputes a round and holds each part of the claim against the result. */
export async function verifyDice(claim: DiceClaim): Promise<{ word: number; checks: Check[]; holds: boolean }> {
  const hash = await sha256Hex(claim.serverSeed);
  const { word, roll } = await diceRoll(claim.serverSeed, claim.clientSeed, claim.nonce);
  const isWin = diceWins(roll, claim.target, claim.side);
  const winCents = isWin ? dicePayoutCents(claim.betCents, claim.target, claim.side) : 0;
  const checks: Check[] = [
    { name: "Hash of the server seed", claimed: claim.serverSeedHash, computed: hash, holds: hash === claim.serverSeedHash },
    { name: "Roll", claimed: String(claim.roll), computed: String(roll), holds: roll === claim.roll },
    { name: "Win amount in cents", claimed: String(claim.winCents), computed: String(winCents), holds: winCents === claim.winCents },
  ];
  return { word, checks, holds: checks.every((check) => check.holds) };
}
