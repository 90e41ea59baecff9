import useSWR from "swr";
import { currentWatcher } from "@/api/trust/watch";
import { NoWebCryptoError } from "@/lib/fairness/stream";
import { evidenceOf, EVIDENCE_FILE } from "@/lib/trust/evidence";
import { saveFile } from "@/lib/save-file";
import { type FoundFailure, TrustStore } from "@/lib/trust/store";
import type { Overview } from "./api";
import { checkLog, type LogCheck } from "./check-log";
import { type CheckedRound, recomputeRounds } from "./recompute";

/** Nobody is signed in. */
const VISITOR = 0;
/** What this browser remembers about the house for whoever uses it. */
export const visitorStore = new TrustStore(VISITOR);

const contradiction = ({ index, line }: CheckedRound, reason: string): FoundFailure => ({
  kind: "entry_mismatch",
  subject: `entry ${index}`,
  message: `Entry ${index} of the public record contradicts itself. ${reason}`,
  evidence: { index, entry: line },
});

const contradictionsIn = (rounds: readonly CheckedRound[]): FoundFailure[] =>
  rounds.flatMap((round) =>
    round.finding.kind === "contradiction" ? [contradiction(round, round.finding.reason)] : [],
  );

/** Players are told permanently; visitors as long as they see the page. */
async function report(failures: readonly FoundFailure[], store: TrustStore): Promise<void> {
  const watcher = await currentWatcher();
  for (const failure of failures) {
    // oxlint-disable-next-line no-await-in-loop -- there is rarely more than one
    await (watcher ? watcher.report(failure) : store.rememberFailure(failure));
  }
}

export type Checked = {
  rounds: readonly CheckedRound[];
  /** Null before the log has begun; undefined if this browser has no cryptography. */
  log: LogCheck | null | undefined;
  failures: readonly FoundFailure[];
};

async function check(overview: Overview, store: TrustStore): Promise<Checked> {
  const [rounds, log] = await Promise.all([
    recomputeRounds(overview.latest),
    overview.origin === null
      ? null
      : checkLog(overview, store).catch((error: unknown) => {
          if (error instanceof NoWebCryptoError) return undefined;
          throw error;
        }),
  ]);
  const failures = [...(log?.failures ?? []), ...contradictionsIn(rounds)];
  await report(failures, store);
  return { rounds, log, failures };
}

/** Verifies what the page shows, in the browser. */
export const useLogCheck = (overview: Overview | undefined, store: TrustStore) =>
  useSWR<Checked, unknown, readonly [string, Overview] | undefined>(
    overview && (["transparency-check", overview] as const),
    ([, shown]) => check(shown, store),
  );

/** Lets anybody save what they need to show others what was found. */
export async function saveEvidence(store: TrustStore): Promise<void> {
  const evidence = (await (await currentWatcher())?.evidence()) ?? (await evidenceOf(store, VISITOR, Date.now()));
  saveFile(EVIDENCE_FILE, "application/json", `${JSON.stringify(evidence, null, 2)}\n`);
}
