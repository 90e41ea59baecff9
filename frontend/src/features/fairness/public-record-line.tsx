import useSWR from "swr";
import { currentStatus } from "@/api/trust/status";
import { currentWatcher } from "@/api/trust/watch";
import type { ClientSeedBy } from "@/api/trust/wire";
import { ProofMark } from "@/games/rounds/proof-mark";

async function fetchRecord(roundId: number) {
  const watcher = currentStatus().canVerify ? await currentWatcher() : null;
  return watcher && watcher.publicRecord(roundId);
}

/** Whether the house's receipt and the public record of a round hold. */
export function PublicRecordLine({ roundId }: { roundId: number }) {
  const { data, error } = useSWR(["public-record", roundId] as const, ([, id]) => fetchRecord(id));
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
