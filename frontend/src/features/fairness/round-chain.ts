// How a round's result follows from its seeds, step by step, computed in the browser.

import { fetchSettledRound, type SettledRound } from "@/games/rounds/api";
import type { Verification } from "@/games/rounds/verification";
import { verifyRound } from "@/games/verify-round";
import { blocksOf, sha256Hex, toHex } from "@/lib/fairness/stream";

/** What can only be computed once the server seed is revealed. */
export type RevealedSteps = {
  serverSeed: string;
  /** The hash of the revealed server seed. */
  computedHash: string;
  /** The first block of the round's stream, in hexadecimal, and its eight words. */
  block: string;
  words: readonly number[];
  /** Null if the game or the rules version is unknown. */
  verification: Verification | null;
};

export type RoundChain = {
  round: SettledRound;
  /** What is signed: client seed, nonce and the number of the block. */
  message: string;
  /** Null until the server seed is revealed. */
  revealed: RevealedSteps | null;
};

/** Eight big-endian numbers of 32 bits. */
function wordsOf(block: Uint8Array): number[] {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  return Array.from({ length: block.byteLength / 4 }, (_, index) => view.getUint32(index * 4));
}

/** The chain of a settled round, as far as it is known. */
export async function chainOf(round: SettledRound): Promise<RoundChain> {
  const { serverSeed, clientSeed, nonce } = round;
  const message = `${clientSeed}:${nonce}:0`;
  if (typeof serverSeed !== "string") return { round, message, revealed: null };
  const blockOf = await blocksOf({ serverSeed, clientSeed, nonce });
  const [computedHash, block, verification] = await Promise.all([
    sha256Hex(serverSeed),
    blockOf(0),
    verifyRound(round, serverSeed),
  ]);
  return {
    round,
    message,
    revealed: { serverSeed, computedHash, block: toHex(block), words: wordsOf(block), verification },
  };
}

export const fetchChain = async (roundId: number): Promise<RoundChain> => chainOf(await fetchSettledRound(roundId));
