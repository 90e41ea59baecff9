import { toHex } from "@/lib/fairness/stream";
import { malformed } from "./proof-error";

// Encodings, decoded strictly: each value has exactly one text.

export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** Whether a text has bytes in UTF-8; a lone surrogate has none. */
export const isUnicode = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/** The UTF-8 bytes of a text. */
export function utf8(text: string): Bytes {
  if (!isUnicode(text)) throw malformed("The text is not valid Unicode.");
  return new Uint8Array(encoder.encode(text));
}

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

/** Decodes standard base64 with padding. */
export function fromBase64(text: string): Bytes {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw malformed(`“${text}” is not base64.`);
  }
  // atob accepts missing padding, spaces and unused bits that are set.
  if (btoa(binary) !== text) throw malformed(`“${text}” is not base64 in its only form.`);
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Decodes lowercase hexadecimal digits. */
export function fromHex(text: string): Bytes {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw malformed(`“${text}” is not lowercase hexadecimal.`);
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** The length of SHA-256 in bytes. */
export const HASH_LENGTH = 32;

function hashOf(bytes: Bytes): Bytes {
  if (bytes.length !== HASH_LENGTH) throw malformed("A hash is not 32 bytes long.");
  return bytes;
}

export const hashFromBase64 = (text: string): Bytes => hashOf(fromBase64(text));
export const hashFromHex = (text: string): Bytes => hashOf(fromHex(text));
export { toHex };

/** A whole number, 0 or greater, in decimal without leading zeros, that a double represents exactly. */
export function wholeNumber(text: string): number {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw malformed(`“${text}” is not a whole number.`);
  return Number(text);
}
