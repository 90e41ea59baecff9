import { Shuffle } from "lucide-react";
import { type FormEvent, useState } from "react";
import { errorCode, errorMessage } from "@/api/client";
import { rotateSeeds } from "@/api/trust/calls";
import { newClientSeed } from "@/api/trust/own-client-seed";
import type { FairnessRotation, FairnessState } from "@/api/trust/wire";
import { Button, Field, IconButton, Input, toast } from "@/components";
import { isClientSeed } from "@/lib/fairness/stream";
import * as refusals from "@/lib/refusals";
import { NEXT_SEED_CHANGED } from "./use-prove-everything";

type RotateFormProps = {
  state: FairnessState;
  isDisabled: boolean;
  onRotated(rotation: FairnessRotation): void;
  /** The committed server seed is not the shown one any more. */
  onChanged(): Promise<unknown>;
};

/** Rotates to the committed server seed with the player's client seed. */
export function RotateForm({ state, isDisabled, onRotated, onChanged }: RotateFormProps) {
  const [clientSeed, setClientSeed] = useState(newClientSeed);
  const [problem, setProblem] = useState<string>();
  const [isRotating, setRotating] = useState(false);
  const [isChanged, setChanged] = useState(false);

  async function rotate(event: FormEvent) {
    event.preventDefault();
    if (!isClientSeed(clientSeed)) {
      setProblem(refusals.seedClient.text);
      return;
    }
    setProblem(undefined);
    setChanged(false);
    setRotating(true);
    try {
      onRotated(await rotateSeeds(clientSeed, state.nextServerSeedHash));
      setClientSeed(newClientSeed());
    } catch (failure) {
      if (errorCode(failure) === "next_seed_changed") {
        await onChanged();
        setChanged(true);
      } else
        toast({ title: "Error", description: errorMessage(failure, "Something went wrong"), variant: "destructive" });
    } finally {
      setRotating(false);
    }
  }
  return (
    <form onSubmit={(event) => void rotate(event)} noValidate className="grid gap-3 border-t border-line pt-5">
      <Field
        label="New client seed"
        hint="Rotating reveals the server seed in use and starts a new pair at nonce 0, with the next server seed and this client seed."
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
      {isChanged && (
        <p role="alert" className="text-14 text-notice">
          {NEXT_SEED_CHANGED}
        </p>
      )}
      <Button type="submit" variant="primary" loading={isRotating} disabled={isDisabled} className="justify-self-start">
        Rotate seeds
      </Button>
    </form>
  );
}
