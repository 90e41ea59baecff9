import { ApiError } from "@/api/client";
import type { Watcher } from "@/api/trust/watcher";
import type { RevealedPair } from "@/api/trust/wire";
import { fetchSettledRound, type SettledRound } from "@/games/rounds/api";
import { fetchHistoryPage } from "@/games/rounds/history-pages";
import { sha256Hex } from "@/lib/fairness/stream";
import { type Problem, proveRound, reportProblem, shownRound } from "./prove-round";

/** How many rounds are verified at the same time. */
const PARALLEL = 4;

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

/** Told of what the house refuses to show. */
type OnRefused = (roundId: number) => void;

/** The round; null if the house says that it has none, or fails. */
async function fetchOrNull(id: number, onRefused: OnRefused): Promise<SettledRound | null> {
  try {
    return await fetchSettledRound(id);
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 500].includes(error.status)) throw error;
    onRefused(id);
    return null;
  }
}

/** The rounds of a pair that was just revealed: they are the newest. */
async function* roundsOf(
  pair: RevealedPair,
  signal: AbortSignal,
  onRefused: OnRefused,
): AsyncGenerator<SettledRound[]> {
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
      const rounds = await Promise.all(ids.map((id) => fetchOrNull(id, onRefused)));
      const own = rounds
        .filter((round) => round !== null)
        .filter((round) => round.serverSeedHash === pair.serverSeedHash);
      found += own.length;
      isPlayedBefore = found > 0 && own.length === 0;
      yield own;
    }
    if (page.next === null || isPlayedBefore || found === 0) return;
    cursor = page.next;
  }
}

const RECORD_FAILED = "Its receipt or its public record does not hold.";
const REFUSED = "The house gives no answer about it.";
const MISSING = "It is not among the rounds of this pair, although the house has signed a receipt of it.";
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
  const seen = new Set<number>();
  const subject = `pair ${pair.serverSeedHash}`;
  async function note(roundId: number, problem: Problem, shown: object) {
    proof.mismatches.push({ roundId, text: problem.text });
    if (watcher) await reportProblem(watcher, roundId, problem, shown);
  }
  async function notePair({ kind, text }: Problem, evidence: object) {
    proof.mismatches.push({ roundId: null, text });
    await watcher?.report({ kind, subject, message: text, evidence });
  }
  async function add(round: SettledRound) {
    const { problem, isSupported, status } = await proveRound(round, pair, watcher);
    nonces.add(round.nonce);
    seen.add(round.id);
    if (problem) await note(round.id, problem, { pair, ...shownRound(round) });
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
    await notePair({ kind: "seed_mismatch", text: PAIR_PROBLEMS.hash }, { pair });
  let done = 0;
  const onRefused = (roundId: number) => {
    seen.add(roundId);
    proof.mismatches.push({ roundId, text: REFUSED });
  };
  for await (const rounds of roundsOf(pair, signal, onRefused)) {
    await Promise.all(rounds.map(add));
    done += rounds.length;
    onProgress(done);
  }
  const isComplete = done === pair.nonce && [...nonces].every((nonce) => nonce < pair.nonce) && nonces.size === done;
  if (!isComplete)
    await notePair({ kind: "round_mismatch", text: PAIR_PROBLEMS.missing }, { pair, nonces: [...nonces] });
  for (const roundId of (await watcher?.roundsOfPair(pair.serverSeedHash)) ?? [])
    // oxlint-disable-next-line no-await-in-loop -- there are hardly ever any
    if (!seen.has(roundId)) await note(roundId, { kind: "round_missing", text: MISSING }, { pair });
  return proof;
}
