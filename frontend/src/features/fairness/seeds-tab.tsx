import { useState } from "react";
import { useSWRConfig } from "swr";
import { REVEALED_SEED } from "@/api/trust/seed-keys";
import type { FairnessRotation, FairnessState } from "@/api/trust/wire";
import { ErrorState, HashLine, Skeleton, Verdict } from "@/components";
import { sha256Hex } from "@/lib/fairness/stream";
import { useFairness } from "./api";
import { MemoryNote } from "./memory-note";
import { ProveEverything } from "./prove-everything";
import { RotateForm } from "./rotate-form";

type Revealed = {
  pair: FairnessRotation["revealed"];
  /** Null if this browser cannot compute it. */
  hasShownHash: boolean | null;
  usesCommittedSeed: boolean;
};

async function compare(shown: FairnessState, { revealed, current }: FairnessRotation): Promise<Revealed> {
  const computedHash = await sha256Hex(revealed.serverSeed).catch(() => null);
  return {
    pair: revealed,
    hasShownHash: computedHash === null ? null : computedHash === shown.serverSeedHash,
    usesCommittedSeed: current.serverSeedHash === shown.nextServerSeedHash,
  };
}

/** The commitments of the next rounds, and the ways to reveal the pair in use. */
export function SeedsTab() {
  const { data, error, mutate } = useFairness();
  const { mutate: mutateAny } = useSWRConfig();
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const [isProving, setProving] = useState(false);

  async function show(shown: FairnessState, rotation: FairnessRotation) {
    void mutateAny(REVEALED_SEED, rotation.revealed.serverSeed, { revalidate: false });
    setRevealed(await compare(shown, rotation));
    await mutate(rotation.current, { revalidate: false });
  }
  if (data === undefined && error !== undefined)
    return <ErrorState title="The seeds could not be loaded" onRetry={() => void mutate()} />;
  if (!data) return <Skeleton className="h-[560px]" />;
  return (
    <div className="grid gap-5">
      <p className="text-14 text-ink-2">
        The house has fixed its server seed and shows you its hash. Together with your client seed and the nonce it
        decides your next round; nobody can change it any more.
      </p>
      <MemoryNote />
      <ActivePair state={data} />
      <ProveEverything
        state={data}
        onBusy={setProving}
        onRotated={(rotation) => void show(data, rotation)}
        onChanged={() => mutate()}
      />
      <RotateForm
        state={data}
        isDisabled={isProving}
        onRotated={(rotation) => void show(data, rotation)}
        onChanged={() => mutate()}
      />
      {revealed && <RevealedSeeds revealed={revealed} />}
    </div>
  );
}

function ActivePair({ state }: { state: FairnessState }) {
  const { serverSeedHash, nextServerSeedHash, clientSeed, clientSeedBy, nonce } = state;
  return (
    <>
      <HashLine label="Server seed hash" value={serverSeedHash} />
      <HashLine
        label="Client seed"
        value={clientSeed}
        note={
          clientSeedBy === "player"
            ? "Chosen by you or your browser."
            : "Chosen by the house. Rotate to use a client seed of your own."
        }
      />
      <p className="text-14">
        <span className="text-ink-3">Nonce of the next round </span>
        <strong data-testid="nonce">{nonce}</strong>
      </p>
      <HashLine
        label="Next server seed hash"
        value={nextServerSeedHash}
        note="The server seed of your next pair is fixed already, before you choose the client seed that goes with it."
      />
    </>
  );
}

function RevealedSeeds({ revealed: { pair, hasShownHash, usesCommittedSeed } }: { revealed: Revealed }) {
  return (
    <section aria-label="Revealed seed pair" className="grid gap-3 border-t border-line pt-5">
      {hasShownHash !== null && (
        <Verdict
          holds={hasShownHash}
          good="The revealed seed has the hash that was shown before."
          bad="The revealed seed does not have the hash that was shown before."
        />
      )}
      <Verdict
        holds={usesCommittedSeed}
        good="The new pair uses the server seed that was fixed before."
        bad="The new pair does not use the server seed that was fixed before."
      />
      <HashLine label="Revealed server seed" value={pair.serverSeed} />
      <HashLine label="Its hash, as shown before" value={pair.serverSeedHash} />
      <p className="text-13 text-ink-2">
        {pair.nonce} {pair.nonce === 1 ? "round was" : "rounds were"} played with it and the client seed{" "}
        <code>{pair.clientSeed}</code>
        {pair.clientSeedBy === "house" && ", which the house chose"}. They can all be verified now.
      </p>
    </section>
  );
}
