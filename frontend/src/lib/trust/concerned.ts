import { parseReceipt, type Receipt } from "./receipt";
import type { FoundFailure, TrustStore } from "./store";

/** As many rounds are named, and as many receipts belong to the evidence of one failure. */
const MAX_NAMED = 10;
const MAX_RECEIPTS = 100;

/** The hash of the pair that a failure is about. */
const pairIn = (subject: string): string | undefined => /^(?:pair )?([0-9a-f]{64})$/.exec(subject)?.[1];
const roundIn = (subject: string): string | undefined => /^round (\d+)$/.exec(subject)?.[1];

function isAbout(receipt: Receipt, pair: string | undefined, round: string | undefined): boolean {
  if (receipt.kind === "round") return receipt.serverSeedHash === pair || String(receipt.roundId) === round;
  return receipt.kind === "pair" && receipt.serverSeedHash === pair;
}

/** "round 7", or "rounds 7, 8 and 9". */
export function namedRounds(ids: readonly number[]): string {
  const [only] = ids;
  if (ids.length === 1) return `round ${only}`;
  const shown = ids.slice(0, MAX_NAMED);
  const last = ids.length > MAX_NAMED ? `${ids.length - MAX_NAMED} more` : shown.pop();
  return `rounds ${shown.join(", ")} and ${last}`;
}

/**
 * Adds to a failure the receipts that it concerns, with which others can see what the house has signed, and names the
 * rounds of a seed pair.
 */
export async function withReceipts(store: TrustStore, failure: FoundFailure): Promise<FoundFailure> {
  const pair = pairIn(failure.subject);
  const round = roundIn(failure.subject);
  if (pair === undefined && round === undefined) return failure;
  const receipts = (await store.receipts())
    .map((wire) => ({ wire, receipt: parseReceipt(wire.text) }))
    .filter(({ receipt }) => isAbout(receipt, pair, round));
  const rounds = new Set(receipts.flatMap(({ receipt }) => (receipt.kind === "round" ? [receipt.roundId] : [])));
  const ids = [...rounds].toSorted((one, other) => one - other);
  const message =
    pair === undefined || ids.length === 0 ? failure.message : `${failure.message} It concerns ${namedRounds(ids)}.`;
  const evidence = { ...failure.evidence, receipts: receipts.slice(0, MAX_RECEIPTS).map(({ wire }) => wire) };
  return { ...failure, message, evidence };
}
