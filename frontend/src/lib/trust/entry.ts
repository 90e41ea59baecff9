import { blocksOf } from "@/lib/fairness/stream";
import { type Bytes, toHex } from "./bytes";
import { malformed } from "./proof-error";

// The public entry of a settled round, and where it is in the log's files, see https://c2sp.org/tlog-tiles.

/** How many entries a full bundle has. */
const WIDTH = 256;
const LENGTH_BYTES = 2;

/** The number of a file: groups of three digits, all but the last with an x. */
function numberPath(number: number): string {
  const groups =
    String(number)
      .padStart(Math.ceil(String(number).length / 3) * 3, "0")
      .match(/.../g) ?? [];
  return groups.map((group, index) => (index === groups.length - 1 ? group : `x${group}`)).join("/");
}

/** The bundle with the entry at an index of a log of this size. */
export function bundlePath(index: number, size: number): string {
  const number = Math.floor(index / WIDTH);
  const width = Math.min(WIDTH, size - number * WIDTH);
  return `tile/entries/${numberPath(number)}${width === WIDTH ? "" : `.p/${width}`}`;
}

/** The bytes of the entry at an index of the log, in its bundle. */
export function entryIn(bundle: Bytes, index: number): Bytes {
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  let offset = 0;
  for (let skipped = index % WIDTH; ; skipped -= 1) {
    if (offset + LENGTH_BYTES > bundle.length) throw malformed("The entry is not in its file.");
    const begin = offset + LENGTH_BYTES;
    offset = begin + view.getUint16(offset, false);
    if (offset > bundle.length) throw malformed("An entry is longer than its file.");
    if (skipped === 0) return bundle.slice(begin, offset);
  }
}

/** What an entry must say of a round. */
export type EntryClaim = {
  game: string;
  rules: number;
  stakeCents: number;
  payoutCents: number;
  serverSeed: string;
  clientSeed: string;
  nonce: number;
};

/** Whether `words` are the first blocks of the round's stream, the last one possibly that of the last cent. */
async function isStreamOf(words: string, claim: EntryClaim): Promise<boolean> {
  const blockOf = await blocksOf(claim);
  const blocks = words.match(/.{1,64}/g) ?? [];
  if (blocks.length === 0) return false;
  const expected = await Promise.all(blocks.map(async (_, index) => toHex(await blockOf(index))));
  const cent = toHex(await blockOf("cent"));
  return blocks.every((block, index) => block === expected[index] || (index === blocks.length - 1 && block === cent));
}

/** The only way in which an entry of a round is written. */
const LINE =
  /^\{"kind":"round","game":"([a-z0-9_]+)","rules":(\d+),"stake":(\d+),"payout":(\d+),"terms":(\{.*\}),"words":"((?:[0-9a-f]{64})*)","second":\d+\}$/;

function isObject(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null;
  } catch {
    return false;
  }
}

/** What of an entry does not agree with the round; null if all of it does. The player's choices are not compared. */
export async function entryProblem(bytes: Bytes, claim: EntryClaim): Promise<string | null> {
  const [, game, rules, stake, payout, terms = "", words = ""] = LINE.exec(new TextDecoder().decode(bytes)) ?? [];
  if (!isObject(terms)) return "it is not written as the entry of a round";
  if (game !== claim.game) return "it is about another game";
  if (rules !== String(claim.rules)) return "it names other rules";
  if (stake !== String(claim.stakeCents)) return "it has another stake";
  if (payout !== String(claim.payoutCents)) return "it has another payout";
  return (await isStreamOf(words, claim)) ? null : "its words are not those of your seeds";
}
