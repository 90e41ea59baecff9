// Rounds as they are published: without their seeds, but with the blocks of the stream that decided them. Like all of
// the verifier, it shares no code with the server.

import { type ExactPayout, FAIR_CENTS, isKnownRules, roundedBy } from "./cents";
import type { Seeds } from "./check";
import { blocksOf, toHex } from "./stream";

/** A settled round as it is published. */
export type PublishedRound = {
  /** The name of the game, such as `video_poker`. */
  game: string;
  /** The rules version. */
  rules: number;
  /** The total stake and the payout in cents. */
  stake: number;
  payout: number;
  /** The player's choices, as parsed from JSON. */
  terms: unknown;
  /** The blocks that decided the round, in hexadecimal. */
  words: string;
};

/** Returns the next word of a round's stream. */
export type DrawWord = () => number;

/** What is needed to verify the published rounds of a game. */
export type PublishedGame = {
  /** Its name in published rounds. */
  name: string;
  /** The exact payout; null if the rules do not allow such terms, or not with these words. */
  play(stakeCents: number, terms: unknown, draw: DrawWord): ExactPayout | null;
};

/** A published round contradicts itself or the rules. */
export class ImpossibleRoundError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "ImpossibleRoundError";
  }
}

/** The fields of a JSON object; none for any other value. */
export const fieldsOf = (json: unknown): Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null ? { ...json } : {};

export const isWhole = (value: unknown, lowest: number, highest: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= lowest && Number(value) <= highest;

/**
 * A game from the rules of its terms. `read` returns the terms with their fields in the published order, and null if
 * they are not the game's; `play` returns null if the rules do not allow them.
 */
export function publishedGame<Terms>(
  name: string,
  read: (json: unknown) => Terms | null,
  play: (stakeCents: number, terms: Terms, draw: DrawWord) => ExactPayout | null,
): PublishedGame {
  return {
    name,
    play(stakeCents, json, draw) {
      const terms = read(json);
      // The same choices have one text only, so that nothing else can be hidden in it.
      if (terms === null || JSON.stringify(terms) !== JSON.stringify(json)) return null;
      return play(stakeCents, terms, draw);
    },
  };
}

const WORD_BYTES = 4;
const BLOCK_BYTES = 32;

/** Plays the round with some blocks, and tells how many blocks it drew from. */
function playWith(game: PublishedGame, { stake, terms }: Pick<PublishedRound, "stake" | "terms">, blocks: Uint8Array) {
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.byteLength);
  let drawn = 0;
  const payout = game.play(stake, terms, () => {
    const word = drawn + WORD_BYTES <= view.byteLength ? view.getUint32(drawn) : 0;
    drawn += WORD_BYTES;
    return word;
  });
  return { payout, drawnBlocks: Math.ceil(drawn / BLOCK_BYTES), isShort: drawn > view.byteLength };
}

const needsCent = (payout: ExactPayout, rules: number): boolean => rules === FAIR_CENTS && payout.remainder !== 0;

function bytesOf(words: string): Uint8Array {
  if (!/^(?:[0-9a-f]{64})+$/.test(words)) throw new ImpossibleRoundError("The words are not whole blocks.");
  return Uint8Array.from({ length: words.length / 2 }, (_, index) =>
    Number.parseInt(words.slice(2 * index, 2 * index + 2), 16),
  );
}

/** The payout in cents by the words and terms of a published round. Throws if the rules do not allow the round. */
export function publishedPayout(game: PublishedGame, round: Omit<PublishedRound, "payout">): number {
  if (round.game !== game.name) throw new ImpossibleRoundError("It is a round of another game.");
  if (!isKnownRules(round.rules)) throw new ImpossibleRoundError("The rules version is unknown.");
  const blocks = bytesOf(round.words);
  const { payout, drawnBlocks, isShort } = playWith(game, round, blocks);
  if (isShort) throw new ImpossibleRoundError("A block is missing.");
  if (payout === null) throw new ImpossibleRoundError("The rules do not allow such a round.");
  const isRounded = needsCent(payout, round.rules);
  const needed = (drawnBlocks + (isRounded ? 1 : 0)) * BLOCK_BYTES;
  if (blocks.length !== needed) {
    throw new ImpossibleRoundError(blocks.length < needed ? "A block is missing." : "There is a block too many.");
  }
  if (!isRounded) return payout.cents;
  return roundedBy(payout, new DataView(blocks.buffer).getUint32(drawnBlocks * BLOCK_BYTES));
}

/** A round as it must be published, by its seeds. Throws if the rules do not allow the round. */
export async function publishedFrom(
  game: PublishedGame,
  seeds: Seeds,
  { rules, stake, terms }: Pick<PublishedRound, "rules" | "stake" | "terms">,
): Promise<PublishedRound> {
  const blockOf = await blocksOf(seeds);
  let blocks = new Uint8Array();
  for (;;) {
    const { payout, drawnBlocks, isShort } = playWith(game, { stake, terms }, blocks);
    if (!isShort) {
      if (payout === null || drawnBlocks === 0) throw new ImpossibleRoundError("The rules do not allow such a round.");
      // oxlint-disable-next-line no-await-in-loop -- the last iteration
      const all = needsCent(payout, rules) ? joined(blocks, await blockOf("cent")) : blocks;
      const round = { game: game.name, rules, stake, terms, words: toHex(all) };
      return { game: game.name, rules, stake, payout: publishedPayout(game, round), terms, words: round.words };
    }
    // oxlint-disable-next-line no-await-in-loop -- how many blocks a round needs depends on the earlier ones
    blocks = joined(blocks, await blockOf(blocks.length / BLOCK_BYTES));
  }
}

function joined(blocks: Uint8Array, block: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(blocks.length + block.length);
  all.set(blocks);
  all.set(block, blocks.length);
  return all;
}
