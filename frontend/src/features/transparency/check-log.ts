import { fetchCheckpoint, fetchConsistency, fetchKeys, fetchLogFile } from "@/api/trust/calls";
import { toBase64 } from "@/lib/trust/bytes";
import { type Cosignature, findCosignature, parseWitnessKey } from "@/lib/trust/cosignature";
import { KeyRing } from "@/lib/trust/key-ring";
import { LogFiles } from "@/lib/trust/log-files";
import { FoundFailureError, LogWatch } from "@/lib/trust/log-watch";
import { openNote } from "@/lib/trust/note";
import { ProofError } from "@/lib/trust/proof-error";
import type { FoundFailure, TrustStore } from "@/lib/trust/store";
import type { Overview } from "./api";

/** What was verified of the public log. */
export type LogCheck = {
  /** The root of the log in base64, and the verifier keys that signed it; null if that could not be verified. */
  signed: { root: string; signers: readonly string[] } | null;
  /** Whether this browser has never seen a key of the house before. */
  isFirstVisit: boolean;
  /** The size of the log that this browser saw before, if any. */
  sizeBefore: number | null;
  /** What the checkpoint carries of the witnesses; empty if the checkpoint could not be verified. */
  witnesses: readonly CheckedWitness[];
  failures: readonly FoundFailure[];
};

/** A witness that the house has named, and its cosignature of the checkpoint. */
export type CheckedWitness = { witness: Overview["witnesses"][number]; cosignature: Cosignature };

type Calls = {
  fetchKeys: typeof fetchKeys;
  fetchCheckpoint: typeof fetchCheckpoint;
  fetchConsistency: typeof fetchConsistency;
  fetchLogFile: typeof fetchLogFile;
};
const SERVER: Calls = { fetchKeys, fetchCheckpoint, fetchConsistency, fetchLogFile };

/** The size in the second line of a checkpoint. */
const sizeOf = (checkpoint: string): number => Number(checkpoint.split("\n", 2)[1]);

/** Verifies the files of the log, which must have the signed root and end with the shown entries. */
async function checkEntries(overview: Overview, files: LogFiles): Promise<void> {
  const entries = overview.latest.toReversed();
  const from = overview.size - entries.length;
  if (entries.some(({ index }, offset) => index !== from + offset))
    throw new ProofError("subject", "The latest entries are not the last ones of the log.");
  await files.verify(
    from,
    entries.map(({ entry }) => entry),
  );
}

/**
 * Verifies the checkpoint's signature, that the log continues the one that this browser saw before, and that the latest
 * entries are in it. Throws only on a fault.
 */
export async function checkLog(overview: Overview, store: TrustStore, calls: Calls = SERVER): Promise<LogCheck> {
  const keyRing = new KeyRing(store, () => calls.fetchKeys());
  const watch = new LogWatch(store, calls);
  const isFirstVisit = (await store.keys()).length === 0;
  const before = overview.origin === null ? undefined : await store.checkpoint(overview.origin);
  const failures: FoundFailure[] = [];
  let witnesses: CheckedWitness[] = [];
  let signed: LogCheck["signed"] = null;
  try {
    const newKey = await keyRing.check(overview.checkpoint);
    if (newKey) failures.push(newKey);
    const keys = await keyRing.keys();
    const tree = await watch.follow(overview.checkpoint, keys);
    if (tree.origin !== overview.origin || tree.size !== overview.size)
      throw new ProofError("subject", "The checkpoint is about another log or another size than this page.");
    const { signers } = await openNote(overview.checkpoint, keys);
    signed = { root: toBase64(tree.root), signers: signers.map(({ text }) => text) };
    witnesses = await Promise.all(
      overview.witnesses.map(async (witness) => ({ witness, cosignature: await cosignatureOf(overview, witness) })),
    );
    failures.push(...wrongCosignatures(overview, witnesses));
    await checkEntries(overview, new LogFiles(tree, (path) => calls.fetchLogFile(path)));
  } catch (error) {
    if (error instanceof FoundFailureError) failures.push(error.failure);
    else if (error instanceof ProofError) failures.push(invalid(overview, error, await store.keys()));
    else throw error;
  }
  return { signed, isFirstVisit, sizeBefore: before === undefined ? null : sizeOf(before), witnesses, failures };
}

async function cosignatureOf(
  { checkpoint }: Overview,
  { verifierKey }: CheckedWitness["witness"],
): Promise<Cosignature> {
  try {
    return await findCosignature(checkpoint, await parseWitnessKey(verifierKey));
  } catch (error) {
    if (error instanceof ProofError) return { state: "invalid" };
    throw error;
  }
}

/** The house verifies cosignatures before it shows them. */
const wrongCosignatures = (overview: Overview, witnesses: readonly CheckedWitness[]): FoundFailure[] =>
  witnesses
    .filter(({ cosignature }) => cosignature.state === "invalid")
    .map(({ witness: { name } }) => ({
      kind: "log_invalid",
      subject: `checkpoint ${overview.size} witness ${name}`,
      message: `The latest checkpoint carries a cosignature of ${name} that does not match it.`,
      evidence: { overview },
    }));

const invalid = (overview: Overview, { message }: ProofError, knownKeys: readonly string[]): FoundFailure => ({
  kind: "log_invalid",
  subject: `checkpoint ${overview.size}`,
  message: `The public record is not what the house signed. ${message}`,
  evidence: { overview, keys: knownKeys },
});
