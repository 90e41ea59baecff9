import type { PublicRecord, Watcher } from "@/api/trust/watcher";
import type { RevealedPair } from "@/api/trust/wire";
import { expectedPublished } from "@/games/published-round";
import { fetchSettledRound, type SettledRound } from "@/games/rounds/api";
import { fetchHistoryPage } from "@/games/rounds/history-pages";
import { verifyRound } from "@/games/verify-round";
import { ImpossibleRoundError, type PublishedRound } from "@/lib/fairness/published";
import { sha256Hex } from "@/lib/fairness/stream";
import { centsOf } from "@/lib/money";
import { toHex, utf8 } from "@/lib/trust/bytes";
import { entryLine } from "@/lib/trust/entry";
import { leafHash } from "@/lib/trust/merkle";
import type { RoundReceipt } from "@/lib/trust/receipt";
import type { FailureKind } from "@/lib/trust/records";

/** How many rounds are verified at the same time. */
const PARALLEL = 4;

type Problem = { kind: FailureKind; text: string; evidence?: object };
export type Mismatch = { roundId: number | null; text: string };

/** The result of proving all rounds of a pair. */
export type PairProof = {
  /** Rounds that are exactly what the seeds give. */
  matching: number;
  /** Of these, by how far the house's public statements about them are proved. */
  proved: number;
  recorded: number;
  withoutReceipt: number;
  /** Rounds of a game or a rules version that this page does not know. */
  unsupported: number;
  mismatches: Mismatch[];
};

type Options = {
  /** Null if this browser cannot verify receipts. */
  watcher: Watcher | null;
  signal: AbortSignal;
  onProgress(done: number): void;
};

/** The rounds of a pair that was just revealed: they are the newest. */
async function* roundsOf(pair: RevealedPair, signal: AbortSignal): AsyncGenerator<SettledRound[]> {
  let cursor: string | null = null;
  let found = 0;
  while (found < pair.nonce) {
    // oxlint-disable-next-line no-await-in-loop -- each page has the cursor of the next
    const page = await fetchHistoryPage({}, cursor);
    let isPlayedBefore = false;
    for (let at = 0; at < page.entries.length && found < pair.nonce && !isPlayedBefore; at += PARALLEL) {
      signal.throwIfAborted();
      const ids = page.entries.slice(at, at + PARALLEL).map(({ id }) => id);
      // oxlint-disable-next-line no-await-in-loop -- a few at a time
      const rounds = await Promise.all(ids.map(fetchSettledRound));
      const own = rounds.filter(({ serverSeedHash }) => serverSeedHash === pair.serverSeedHash);
      found += own.length;
      isPlayedBefore = found > 0 && own.length === 0;
      yield own;
    }
    if (page.next === null || isPlayedBefore || found === 0) return;
    cursor = page.next;
  }
}

/** What must be published of a round; null if the rules do not allow such a round. */
async function publishedOf(round: SettledRound, serverSeed: string): Promise<PublishedRound | null> {
  try {
    return await expectedPublished(round, serverSeed);
  } catch (error) {
    if (error instanceof ImpossibleRoundError) return null;
    throw error;
  }
}

/** The second that a receipt states, since 1970. */
const secondOf = ({ time }: RoundReceipt): number => Math.floor(Date.parse(time) / 1000);

async function recordProblem(
  round: SettledRound,
  { serverSeed }: RevealedPair,
  { receipt, entry }: PublicRecord,
  isSupported: boolean,
): Promise<Problem | null> {
  if (receipt === null) return null;
  const isSame =
    receipt.serverSeedHash === round.serverSeedHash &&
    receipt.nonce === round.nonce &&
    receipt.stakeCents === centsOf(round.betAmount) &&
    receipt.payoutCents === centsOf(round.winAmount);
  if (!isSame) return { kind: "round_mismatch", text: "Its receipt says something else than your history." };
  if (!isSupported) return null;
  const published = await publishedOf(round, serverSeed);
  const line = published && entryLine(published, secondOf(receipt));
  // The receipt names the entry by its hash, and only an entry with this hash is proved to be in the log.
  if (line !== null && toHex(await leafHash(utf8(line))) === receipt.entry) return null;
  return {
    kind: "entry_mismatch",
    text: "Its public entry is not what follows from its seeds and your choices.",
    evidence: { expectedEntry: line, publishedEntry: entry },
  };
}

type RoundProof = { problem: Problem | null; isSupported: boolean; status: PublicRecord["status"] };

async function proveRound(round: SettledRound, pair: RevealedPair, watcher: Watcher | null): Promise<RoundProof> {
  const verification = await verifyRound(round, pair.serverSeed);
  const record = watcher && (await watcher.publicRecord(round.id));
  const isSupported = verification !== null;
  const isMatching = verification?.holds !== false && round.clientSeed === pair.clientSeed;
  const problem: Problem | null = isMatching
    ? record && (await recordProblem(round, pair, record, isSupported))
    : { kind: "round_mismatch", text: "It is not what its seeds give." };
  return { problem, isSupported, status: record?.status };
}

const RECORD_FAILED = "Its receipt or its public record does not hold.";
const PAIR_PROBLEMS = {
  hash: "The revealed server seed does not have the hash that was shown before.",
  missing: "Rounds of this pair are missing from your history, or have the wrong numbers.",
};

/** Verifies every round of a pair that was just revealed: seeds, result, payout, receipt and public record. */
export async function provePair(pair: RevealedPair, { watcher, signal, onProgress }: Options): Promise<PairProof> {
  const proof: PairProof = {
    matching: 0,
    proved: 0,
    recorded: 0,
    withoutReceipt: 0,
    unsupported: 0,
    mismatches: [],
  };
  const nonces = new Set<number>();
  const subject = `pair ${pair.serverSeedHash}`;
  async function note(roundId: number | null, { kind, text }: Problem, evidence: object) {
    proof.mismatches.push({ roundId, text });
    const message = roundId === null ? text : `Round ${roundId} cannot be proved. ${text}`;
    await watcher?.report({ kind, subject: roundId === null ? subject : `round ${roundId}`, message, evidence });
  }
  async function add(round: SettledRound) {
    const { problem, isSupported, status } = await proveRound(round, pair, watcher);
    nonces.add(round.nonce);
    if (problem) await note(round.id, problem, { pair, round, ...problem.evidence });
    // The watcher has reported why.
    else if (status === "failed") proof.mismatches.push({ roundId: round.id, text: RECORD_FAILED });
    else if (!isSupported) proof.unsupported += 1;
    else {
      proof.matching += 1;
      if (status === "proved") proof.proved += 1;
      else if (status === "recorded") proof.recorded += 1;
      else if (status === undefined) proof.withoutReceipt += 1;
    }
  }
  if ((await sha256Hex(pair.serverSeed)) !== pair.serverSeedHash)
    await note(null, { kind: "seed_mismatch", text: PAIR_PROBLEMS.hash }, { pair });
  let done = 0;
  for await (const rounds of roundsOf(pair, signal)) {
    await Promise.all(rounds.map(add));
    done += rounds.length;
    onProgress(done);
  }
  const isComplete = done === pair.nonce && [...nonces].every((nonce) => nonce < pair.nonce) && nonces.size === done;
  if (!isComplete)
    await note(null, { kind: "round_mismatch", text: PAIR_PROBLEMS.missing }, { pair, nonces: [...nonces] });
  return proof;
}
