import useSWR from "swr";
import { currentStatus } from "@/api/trust/status";
import { currentWatcher } from "@/api/trust/watch";
import type { ClientSeedBy } from "@/api/trust/wire";
import type { SettledRound } from "@/games/rounds/api";
import { ProofMark } from "@/games/rounds/proof-mark";
import { proveRound, reportProblem, shownRound } from "./prove-round";

/** Asks for what the house has signed of a round and, once the seeds are revealed, compares it with them. */
async function checkRecord(round: SettledRound) {
  const watcher = currentStatus().canVerify ? await currentWatcher() : null;
  if (watcher === null) return null;
  const { serverSeed, clientSeed, id } = round;
  if (typeof serverSeed !== "string") return watcher.publicRecord(id);
  const { problem, status, entry } = await proveRound(round, { serverSeed, clientSeed }, watcher);
  if (problem) await reportProblem(watcher, id, problem, shownRound(round));
  return { status: problem ? "failed" : status, entry };
}

/** Whether the house's receipt and the public record of a round hold. */
export function PublicRecordLine({ round }: { round: SettledRound }) {
  const roundId = round.id;
  const { data, error } = useSWR(["public-record", roundId] as const, () => checkRecord(round));
  if (data === null) return null;
  const isChecking = data === undefined && error === undefined;
  return (
    <p className="flex min-h-5 flex-wrap items-center gap-x-2 text-13 text-ink-2">
      {isChecking
        ? "Checking the receipt and the public record …"
        : error !== undefined
          ? "The receipt and the public record could not be loaded."
          : data?.status === undefined
            ? "The house has given no receipt of this round."
            : data?.status === "proved" && data.entry === null
              ? "The house does not prove it at the moment. Before, receipt and public record were:"
              : "Receipt and public record:"}
      <ProofMark roundId={roundId} />
    </p>
  );
}

/** A label for rounds whose client seed the house chose. */
export function HouseSeedNote({ clientSeedBy }: { clientSeedBy: ClientSeedBy }) {
  if (clientSeedBy !== "house") return null;
  return (
    <p className="text-13 text-notice">
      The house chose the client seed of this round, so it could have known it when it fixed the server seed.
    </p>
  );
}
