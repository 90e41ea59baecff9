// The verifier's own implementation of the stream, based only on WebCrypto. It shares no code with the server, so that
// matching results prove something.

const encoder = new TextEncoder();

/** The page has no WebCrypto: browsers offer it only on https and localhost. */
export class NoWebCryptoError extends Error {
  constructor() {
    super("This browser provides its cryptography only on https pages, so rounds cannot be verified here.");
    this.name = "NoWebCryptoError";
  }
}

/** WebCrypto, or a NoWebCryptoError if the page has none. */
export function subtle(): SubtleCrypto {
  if (globalThis.crypto?.subtle === undefined) throw new NoWebCryptoError();
  return globalThis.crypto.subtle;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** SHA-256 of a text, in hexadecimal: the commitment to a server seed. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(new Uint8Array(await subtle().digest("SHA-256", encoder.encode(text))));
}

/** The rule for client seeds. */
export const isClientSeed = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

/**
 * `(word × n) >> 32`. Exact in a double: a word is below 2^32 and n below 2^21, so the product is
 * below 2^53, and dividing by a power of two loses nothing.
 */
export function scale(word: number, n: number): number {
  return Math.floor((word * n) / 2 ** 32);
}

const keyOf = (serverSeed: string): Promise<CryptoKey> =>
  subtle().importKey("raw", encoder.encode(serverSeed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

/** The HMAC of a message. */
const signed = async (key: CryptoKey, message: string): Promise<DataView<ArrayBuffer>> =>
  new DataView(await subtle().sign("HMAC", key, encoder.encode(message)));

/** The first `count` words of a round's stream. */
export async function words(serverSeed: string, clientSeed: string, nonce: number, count: number): Promise<number[]> {
  const key = await keyOf(serverSeed);
  const found: number[] = [];
  for (let block = 0; found.length < count; block += 1) {
    // oxlint-disable-next-line no-await-in-loop -- stops as soon as there are enough words
    const view = await signed(key, `${clientSeed}:${nonce}:${block}`);
    for (let offset = 0; offset < view.byteLength; offset += 4) found.push(view.getUint32(offset, false));
  }
  return found.slice(0, count);
}

/** Computes the blocks of a round's stream: by their number, and the one that decides a fraction of a cent. */
export async function blocksOf({
  serverSeed,
  clientSeed,
  nonce,
}: {
  serverSeed: string;
  clientSeed: string;
  nonce: number;
}): Promise<(name: number | "cent") => Promise<Uint8Array>> {
  const key = await keyOf(serverSeed);
  return async (name) => new Uint8Array((await signed(key, `${clientSeed}:${nonce}:${name}`)).buffer);
}

/** The word that decides a fraction of a cent. */
export async function centWord(serverSeed: string, clientSeed: string, nonce: number): Promise<number> {
  return (await signed(await keyOf(serverSeed), `${clientSeed}:${nonce}:cent`)).getUint32(0, false);
}
