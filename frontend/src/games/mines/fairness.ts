import { type ExactPayout, NOTHING } from "@/lib/fairness/cents";
import { type Check, type RoundClaim, type Seeds, winCheck } from "@/lib/fairness/check";
import { fieldsOf, isWhole, publishedGame } from "@/lib/fairness/published";
import { scale, sha256Hex, words } from "@/lib/fairness/stream";
import { CELLS, hundredthsOf, minesPayout, MAX_MINES } from "./multiplier";

/**
 * The first `count` cells drawn from a round's seeds, out of 25. The first m of them are the mines of a round with m
 * mines.
 */
export async function drawnCells({ serverSeed, clientSeed, nonce }: Seeds, count = MAX_MINES): Promise<number[]> {
  return cellsFrom(await words(serverSeed, clientSeed, nonce, count));
}

/** One cell per word: the one at `below(remaining)`, which leaves the list. */
function cellsFrom(stream: readonly number[]): number[] {
  const left = Array.from({ length: CELLS }, (_, cell) => cell);
  return stream.flatMap((word) => left.splice(scale(word, left.length), 1));
}

/** The claim about a round of mines. */
export type MinesClaim = RoundClaim & {
  mines: number;
  revealed: readonly number[];
  minePositions: readonly number[];
  multiplier: number | null;
  hitCell: number | null;
};

const sorted = (cells: readonly number[]): number[] => cells.toSorted((one, other) => one - other);
const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  sorted(one).join() === sorted(other).join();
/** "3, 8": players count the cells from 1. */
export const cellNumbers = (cells: readonly number[]): string =>
  cells.length === 0 ? "none" : cells.map((cell) => cell + 1).join(", ");

/** Recomputes a round and compares each part of the claim with the result. */
export async function verifyMines(
  claim: MinesClaim,
): Promise<{ mineCells: number[]; checks: Check[]; holds: boolean }> {
  const { mines, hitCell } = claim;
  const hash = await sha256Hex(claim.serverSeed);
  const mineCells = await drawnCells(claim, mines);
  const isMine = new Set(mineCells);
  // The mine that ended the round has its own field, and may or may not be among the revealed cells.
  const claimedSafe = claim.revealed.filter((cell) => cell !== hitCell);
  const safe = new Set(claimedSafe.filter((cell) => !isMine.has(cell)));
  const hit = hitCell !== null && isMine.has(hitCell) ? hitCell : null;
  const payout = hit === null && safe.size > 0 ? minesPayout(claim.betCents, mines, safe.size) : NOTHING;
  const hundredths = hundredthsOf(mines, safe.size);
  const checks: Check[] = [
    {
      name: "Hash of the server seed",
      claimed: claim.serverSeedHash,
      computed: hash,
      holds: hash === claim.serverSeedHash,
    },
    {
      name: "Mines, in drawing order",
      claimed: cellNumbers(claim.minePositions),
      computed: cellNumbers(mineCells),
      holds: isSame(claim.minePositions, mineCells),
    },
    {
      name: "Revealed safe cells",
      claimed: cellNumbers(claimedSafe),
      computed: cellNumbers([...safe]),
      holds: safe.size === claimedSafe.length,
    },
    {
      name: "Mine that was hit",
      claimed: hitCell === null ? "none" : cellNumbers([hitCell]),
      computed: hit === null ? "none" : cellNumbers([hit]),
      holds: hit === hitCell,
    },
    ...(hit === null ? [multiplierCheck(claim.multiplier, hundredths)] : []),
    await winCheck(payout, claim),
  ];
  return { mineCells, checks, holds: checks.every((check) => check.holds) };
}

/** The claimed multiplier is rounded, so its hundredths are compared. */
function multiplierCheck(claimed: number | null, hundredths: number): Check {
  // The smallest difference between a multiplier and a whole hundredth is larger than this.
  const floor = claimed === null ? null : Math.floor(claimed * 100 + 1e-7);
  return {
    name: "Multiplier, rounded down",
    claimed: claimed === null ? "none" : String(claimed),
    computed: (hundredths / 100).toFixed(2),
    holds: floor === hundredths,
  };
}

const MIN_STAKE_CENTS = 10;
const MAX_STAKE_CENTS = 100_000;
const MAX_PAYOUT_CENTS = 10_000_000;

/** The player's choices as they are published: the revealed cells in order, with the mine if one was hit. */
export type MinesTerms = { mines: number; revealed: readonly number[] };

function readTerms(json: unknown): MinesTerms | null {
  const { mines, revealed } = fieldsOf(json);
  const isTerms =
    isWhole(mines, 1, MAX_MINES) &&
    Array.isArray(revealed) &&
    revealed.length > 0 &&
    revealed.every((cell) => isWhole(cell, 0, CELLS - 1)) &&
    new Set(revealed).size === revealed.length;
  return isTerms ? { mines, revealed } : null;
}

/** Whether another cell was offered after some safe ones. */
function isOffered(stakeCents: number, mines: number, safeCells: number): boolean {
  if (safeCells === 0) return true;
  if (safeCells >= CELLS - mines) return false;
  const { cents, remainder } = minesPayout(stakeCents, mines, safeCells + 1);
  return cents + (remainder > 0 ? 1 : 0) <= MAX_PAYOUT_CENTS;
}

function payoutOf(stakeCents: number, mineCells: readonly number[], revealed: readonly number[]): ExactPayout | null {
  const mines = mineCells.length;
  const safeCells = revealed.findIndex((cell) => mineCells.includes(cell));
  // Only the last revealed cell can be a mine.
  if (safeCells !== -1 && safeCells !== revealed.length - 1) return null;
  if (!revealed.every((_, before) => isOffered(stakeCents, mines, before))) return null;
  return safeCells === -1 ? minesPayout(stakeCents, mines, revealed.length) : NOTHING;
}

export const publishedMines = publishedGame("mines", readTerms, (stakeCents, { mines, revealed }, draw) => {
  const mineCells = cellsFrom(Array.from({ length: mines }, draw));
  return isWhole(stakeCents, MIN_STAKE_CENTS, MAX_STAKE_CENTS) ? payoutOf(stakeCents, mineCells, revealed) : null;
});
