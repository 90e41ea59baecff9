import { getPublicKeyAsync, signAsync } from "@noble/ed25519";
import { type Bytes, concat, toBase64, toHex, utf8 } from "@/lib/trust/bytes";
import { emptyRoot, leafHash, nodeHash, type Tree } from "@/lib/trust/merkle";
import type { WireReceipt } from "@/lib/trust/receipt";

// A house that signs, and trees built by the recursive definitions of RFC 6962, section 2.1, which share nothing with
// the verification.

const sha256 = async (bytes: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** The largest power of two below the number of leaves. */
function split(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

export async function rootOf(leaves: readonly Bytes[]): Promise<Bytes> {
  const [only] = leaves;
  if (only === undefined) return emptyRoot();
  if (leaves.length === 1) return only;
  const at = split(leaves.length);
  return nodeHash(await rootOf(leaves.slice(0, at)), await rootOf(leaves.slice(at)));
}

export async function inclusionPath(leaves: readonly Bytes[], index: number): Promise<Bytes[]> {
  if (leaves.length <= 1) return [];
  const at = split(leaves.length);
  const [left, right] = [leaves.slice(0, at), leaves.slice(at)];
  return index < at
    ? [...(await inclusionPath(left, index)), await rootOf(right)]
    : [...(await inclusionPath(right, index - at)), await rootOf(left)];
}

async function subProof(leaves: readonly Bytes[], size: number, isWhole: boolean): Promise<Bytes[]> {
  if (size === leaves.length) return isWhole ? [] : [await rootOf(leaves)];
  const at = split(leaves.length);
  const [left, right] = [leaves.slice(0, at), leaves.slice(at)];
  return size <= at
    ? [...(await subProof(left, size, isWhole)), await rootOf(right)]
    : [...(await subProof(right, size - at, false)), await rootOf(left)];
}

/** That the tree of these leaves continues the tree of the first `size`. */
export const consistencyPath = (leaves: readonly Bytes[], size: number): Promise<Bytes[]> =>
  size === 0 ? Promise.resolve([]) : subProof(leaves, size, true);

export const treeOf = async (leaves: readonly Bytes[]): Promise<Tree> => ({
  size: leaves.length,
  root: await rootOf(leaves),
});

export const ORIGIN = "play.example/glasshouse";
export const PAIR = "a8ae6e6ee929abea3afcfc5258c8ccd6f85273e0d4626d26c7279f3250f77c8e";
export const NEXT = "1".repeat(64);

export type House = {
  origin: string;
  /** The text of its verifier key. */
  key: string;
  sign(text: string): Promise<string>;
  signTree(tree: Tree): Promise<string>;
  /** The receipts of one commit. */
  receipts(texts: readonly string[]): Promise<WireReceipt[]>;
};

/** A house whose key follows from a number. */
export async function houseWith(secret = 1, origin = ORIGIN): Promise<House> {
  const secretKey = new Uint8Array(32).fill(secret);
  const key = concat(Uint8Array.of(1), await getPublicKeyAsync(secretKey));
  const id = (await sha256(concat(utf8(`${origin}\n`), key))).slice(0, 4);
  async function sign(text: string): Promise<string> {
    const signature = await signAsync(utf8(text), secretKey);
    return `${text}\n— ${origin} ${toBase64(concat(id, signature))}\n`;
  }
  return {
    origin,
    key: `${origin}+${toHex(id)}+${toBase64(key)}`,
    sign,
    signTree: ({ size, root }) => sign(`${origin}\n${size}\n${toBase64(root)}\n`),
    async receipts(texts) {
      const leaves = await Promise.all(texts.map((text) => leafHash(utf8(text))));
      const note = await sign(`${origin}/receipts\n${leaves.length}\n${toBase64(await rootOf(leaves))}\n`);
      return Promise.all(
        texts.map(async (text, index) => {
          const path = await inclusionPath(leaves, index);
          return { text, index, path: path.map(toBase64), note };
        }),
      );
    },
  };
}

/** A witness whose key follows from a number. */
export async function witnessWith(secret = 9, name = "witness.example/1") {
  const secretKey = new Uint8Array(32).fill(secret);
  const key = concat(Uint8Array.of(4), await getPublicKeyAsync(secretKey));
  const id = (await sha256(concat(utf8(`${name}\n`), key))).slice(0, 4);
  return {
    name,
    key: `${name}+${toHex(id)}+${toBase64(key)}`,
    /** Adds a cosignature to a signed checkpoint. */
    async cosign(note: string, second: number): Promise<string> {
      const text = note.slice(0, note.lastIndexOf("\n\n") + 1);
      const time = new Uint8Array(8);
      new DataView(time.buffer).setBigUint64(0, BigInt(second));
      const signature = await signAsync(utf8(`cosignature/v1\ntime ${second}\n${text}`), secretKey);
      return `${note}— ${name} ${toBase64(concat(id, time, signature))}\n`;
    },
  };
}

/** The leaves of a tree, each different. */
export const leavesOf = (count: number): Promise<Bytes[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => leafHash(utf8(`leaf ${index}`))));

type Fields = Record<string, string | number>;
const textOf = (fields: Fields): string =>
  ["glasshouse receipt v1", ...Object.entries(fields).map(([name, value]) => `${name} ${value}`), ""].join("\n");

const TIME = "2026-11-21T19:48:55.361837Z";

/** The receipt of a settled round; each line can be changed. */
export const roundText = (roundId: number, change: Fields = {}): string =>
  textOf({
    origin: ORIGIN,
    player: 7,
    subject: `round ${roundId}`,
    state: "settled",
    pair: `${PAIR} nonce ${roundId}`,
    stake: 1000,
    payout: 1980,
    balance: 50980,
    entry: "5f".repeat(32),
    time: TIME,
    ...change,
  });

export const openRoundText = (roundId: number, change: Fields = {}): string =>
  roundText(roundId, { state: "open", payout: "-", entry: "-", ...change });

export const pairText = (change: Fields = {}): string =>
  textOf({
    origin: ORIGIN,
    player: 7,
    subject: `pair ${PAIR}`,
    state: "active",
    client: "my_seed by player",
    next: NEXT,
    time: TIME,
    ...change,
  });

export const moneyText = (subject: string, state: string, change: Fields = {}): string =>
  textOf({ origin: ORIGIN, player: 7, subject, state, amount: 2500, balance: 52500, time: TIME, ...change });
