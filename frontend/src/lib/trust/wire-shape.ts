import type { WireReceipt } from "./receipt";

// The shape of answers that nobody has typed: receipts are found wherever they are.

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Whether a value has all parts of a receipt. */
export const isReceiptShape = (value: unknown): value is WireReceipt =>
  isObject(value) &&
  typeof value.text === "string" &&
  typeof value.index === "number" &&
  typeof value.note === "string" &&
  Array.isArray(value.path) &&
  value.path.every((hash) => typeof hash === "string");

/** Answers are shallow: a list of rounds with a receipt each is the deepest. */
const MAX_DEPTH = 4;

/** All values named `receipt` in an answer, except null: some answers say so that there is none. */
export function receiptsIn(body: unknown, depth = MAX_DEPTH): unknown[] {
  if (depth === 0 || !isObject(body)) return [];
  if (Array.isArray(body)) return body.flatMap((item) => receiptsIn(item, depth - 1));
  return Object.entries(body).flatMap(([name, value]) =>
    name === "receipt" ? (value === null ? [] : [value]) : receiptsIn(value, depth - 1),
  );
}
