import { useEffect, useRef, useState } from "react";
import { errorCode, errorMessage } from "@/api/client";
import { rotateSeeds } from "@/api/trust/calls";
import { newClientSeed } from "@/api/trust/own-client-seed";
import { currentStatus } from "@/api/trust/status";
import { currentWatcher } from "@/api/trust/watch";
import type { FairnessRotation, FairnessState, RevealedPair } from "@/api/trust/wire";
import { type PairProof, provePair } from "./prove-pair";

export type ProofStep =
  | { at: "idle" }
  | { at: "rotating" }
  | { at: "proving"; done: number; total: number }
  | { at: "stopped"; pair: RevealedPair }
  /** The pair is revealed, so proving it can be tried again. */
  | { at: "failed"; message: string; pair: RevealedPair | null }
  | { at: "done"; pair: RevealedPair; proof: PairProof };

export const NEXT_SEED_CHANGED =
  "Nothing was rotated: your seeds were rotated elsewhere, so the next server seed is another one now. Look at its new hash, then try again.";

const messageOf = (error: unknown): string =>
  errorMessage(error, error instanceof Error ? error.message : "Something went wrong");

/** Rotates the seeds and verifies all rounds of the pair that this reveals. */
export function useProveEverything(onRotated: (rotation: FairnessRotation) => void, onChanged: () => Promise<unknown>) {
  const [step, setStep] = useState<ProofStep>({ at: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function prove(pair: RevealedPair) {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setStep({ at: "proving", done: 0, total: pair.nonce });
    try {
      const watcher = currentStatus().canVerify ? await currentWatcher() : null;
      const onProgress = (done: number) => setStep({ at: "proving", done, total: pair.nonce });
      const proof = await provePair(pair, { watcher, signal, onProgress });
      setStep({ at: "done", pair, proof });
    } catch (error) {
      setStep(signal.aborted ? { at: "stopped", pair } : { at: "failed", message: messageOf(error), pair });
    }
  }
  async function start({ nextServerSeedHash }: FairnessState) {
    setStep({ at: "rotating" });
    try {
      const rotation = await rotateSeeds(newClientSeed(), nextServerSeedHash);
      onRotated(rotation);
      await prove(rotation.revealed);
    } catch (error) {
      const isChanged = errorCode(error) === "next_seed_changed";
      if (isChanged) await onChanged();
      setStep({ at: "failed", message: isChanged ? NEXT_SEED_CHANGED : messageOf(error), pair: null });
    }
  }
  return { step, start, prove, stop: () => running.current?.abort() };
}
