import type { PublicRecord, Watcher } from "@/api/trust/watcher";
import { expectedPublished } from "@/games/published-round";
import type { SettledRound } from "@/games/rounds/api";
import { verifyRound } from "@/games/verify-round";
import { ImpossibleRoundError, type PublishedRound } from "@/lib/fairness/published";
import { toHex, utf8 } from "@/lib/trust/bytes";
import { entryLine } from "@/lib/trust/entry";
import { leafHash } from "@/lib/trust/merkle";
import type { RoundReceipt } from "@/lib/trust/receipt";
import type { FailureKind } from "@/lib/trust/records";
import { differences } from "@/lib/trust/shown-round";

export type Problem = { kind: FailureKind; text: string; evidence?: object };
type Revealed = { serverSeed: string; clientSeed: string };

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
  { serverSeed }: Revealed,
  { receipt, entry }: PublicRecord,
  isSupported: boolean,
): Promise<Problem | null> {
  if (receipt === null) return null;
  if (differences(receipt, round).length > 0)
    return { kind: "round_mismatch", text: "Its receipt says something else than your history." };
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

type RoundProof = { problem: Problem | null; isSupported: boolean } & Pick<PublicRecord, "status" | "entry">;

/** Verifies a round whose seeds are revealed: result, payout, receipt and public record. */
export async function proveRound(round: SettledRound, pair: Revealed, watcher: Watcher | null): Promise<RoundProof> {
  const verification = await verifyRound(round, pair.serverSeed);
  const record = watcher && (await watcher.publicRecord(round.id));
  const isSupported = verification !== null;
  const isMatching = verification?.holds !== false && round.clientSeed === pair.clientSeed;
  const problem: Problem | null = isMatching
    ? record && (await recordProblem(round, pair, record, isSupported))
    : { kind: "round_mismatch", text: "It is not what its seeds give." };
  return { problem, isSupported, status: record?.status, entry: record?.entry ?? null };
}

/** The evidence of a round as the house shows it. */
export const shownRound = (round: SettledRound): object => ({
  answers: [{ path: `/api/rounds/${round.id}`, status: 200, body: round }],
});

/** Keeps and shows what does not hold about a round. */
export async function reportProblem(
  watcher: Watcher,
  roundId: number,
  { kind, text, evidence }: Problem,
  shown: object,
): Promise<void> {
  const message = `Round ${roundId} cannot be proved. ${text}`;
  await watcher.report({ kind, subject: `round ${roundId}`, message, evidence: { ...shown, ...evidence } });
}
