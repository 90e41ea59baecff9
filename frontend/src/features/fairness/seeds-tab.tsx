import { Shuffle } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api, errorMessage } from "@/api/client";
import { useQuery } from "@/api/hooks";
import type { components } from "@/api/schema";
import { Button, ErrorState, Field, IconButton, Input, Skeleton, toast } from "@/components";
import { isClientSeed, randomHex, sha256Hex } from "@/lib/fairness/stream";
import * as refusals from "@/lib/refusals";
import { HashLine } from "./hash-line";
import { Verdict } from "./verdict";

const newClientSeed = () => randomHex(8);
type Revealed = components["schemas"]["FairnessRotation"]["revealed"] & { computedHash: string | null };

/** The commitment of the next round, and the form to rotate the seeds. */
export function SeedsTab() {
  const { data, error, mutate } = useQuery("/api/fairness");
  const [clientSeed, setClientSeed] = useState(newClientSeed);
  const [problem, setProblem] = useState<string>();
  const [isRotating, setRotating] = useState(false);
  const [revealed, setRevealed] = useState<Revealed | null>(null);

  async function rotate(event: FormEvent) {
    event.preventDefault();
    if (!data) return;
    if (!isClientSeed(clientSeed)) {
      setProblem(refusals.seedClient.text);
      return;
    }
    setProblem(undefined);
    setRotating(true);
    try {
      const { data: rotation } = await api.POST("/api/fairness/rotate", {
        body: { clientSeed, nextServerSeedHash: data.nextServerSeedHash },
      });
      if (!rotation) return;
      const computedHash = await sha256Hex(rotation.revealed.serverSeed).catch(() => null);
      setRevealed({ ...rotation.revealed, computedHash });
      setClientSeed(newClientSeed());
      await mutate(rotation.current, { revalidate: false });
    } catch (failure) {
      toast({ title: "Error", description: errorMessage(failure, "Something went wrong"), variant: "destructive" });
    } finally {
      setRotating(false);
    }
  }

  if (error) return <ErrorState title="The seeds could not be loaded" onRetry={() => void mutate()} />;
  if (!data) return <Skeleton className="h-[280px]" />;
  return (
    <div className="grid gap-5">
      <p className="text-14 text-ink-2">
        The house has fixed its server seed and shows you its hash. Together with your client seed and the nonce it
        decides your next round; nobody can change it any more.
      </p>
      <HashLine label="Server seed hash" value={data.serverSeedHash} />
      <HashLine label="Client seed" value={data.clientSeed} />
      <p className="text-14">
        <span className="text-ink-3">Nonce of the next round </span>
        <strong data-testid="nonce">{data.nonce}</strong>
      </p>
      <form onSubmit={(event) => void rotate(event)} noValidate className="grid gap-3 border-t border-line pt-5">
        <Field
          label="New client seed"
          hint="Rotating reveals the server seed in use and starts a new pair at nonce 0."
          error={problem}
        >
          {(ids) => (
            <div className="flex gap-2">
              <Input
                {...ids}
                value={clientSeed}
                maxLength={64}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setClientSeed(event.target.value)}
              />
              <IconButton
                label="Random client seed"
                icon={<Shuffle className="size-4" />}
                onClick={() => setClientSeed(newClientSeed())}
              />
            </div>
          )}
        </Field>
        <Button type="submit" variant="primary" loading={isRotating} className="justify-self-start">
          Rotate seeds
        </Button>
      </form>
      {revealed && <RevealedSeeds revealed={revealed} />}
    </div>
  );
}

function RevealedSeeds({ revealed }: { revealed: Revealed }) {
  return (
    <section aria-label="Revealed seed pair" className="grid gap-3 border-t border-line pt-5">
      {revealed.computedHash !== null && (
        <Verdict
          holds={revealed.computedHash === revealed.serverSeedHash}
          good="The revealed seed has the hash that was shown before."
          bad="The revealed seed does not have the hash that was shown before."
        />
      )}
      <HashLine label="Revealed server seed" value={revealed.serverSeed} />
      <HashLine label="Its hash, as shown before" value={revealed.serverSeedHash} />
      <p className="text-13 text-ink-2">
        {revealed.nonce} {revealed.nonce === 1 ? "round was" : "rounds were"} played with it and the client seed{" "}
        <code>{revealed.clientSeed}</code>. They can all be verified now.
      </p>
    </section>
  );
}
