import { useCallback, useSyncExternalStore } from "react";
import type { Failure, ProofStatus } from "@/lib/trust/records";

export type { Failure, ProofStatus } from "@/lib/trust/records";

/** What has been verified so far. */
export type TrustStatus = {
  rounds: ReadonlyMap<number, ProofStatus>;
  /** What does not hold and was not closed by the player. */
  failures: readonly Failure[];
  /** Whether it is remembered after the page is closed. */
  isPersistent: boolean;
  /** Whether this browser can verify anything: WebCrypto exists only on https and localhost. */
  canVerify: boolean;
};

const NOTHING: TrustStatus = { rounds: new Map(), failures: [], isPersistent: true, canVerify: true };

let current = NOTHING;
const listeners = new Set<() => void>();

export function publishStatus(change: Partial<TrustStatus>): void {
  current = { ...current, ...change };
  for (const listener of listeners) listener();
}

export function publishRound(roundId: number, status: ProofStatus): void {
  if (current.rounds.get(roundId) === status) return;
  publishStatus({ rounds: new Map(current.rounds).set(roundId, status) });
}

/** For the next player. */
export const resetStatus = (): void => publishStatus(NOTHING);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentStatus = (): TrustStatus => current;

/** What has been verified so far. */
export const useTrustStatus = (): TrustStatus => useSyncExternalStore(subscribe, currentStatus);

/** How far a round is verified; undefined if this browser has no receipt of it. */
export const useProofStatus = (roundId: number): ProofStatus | undefined =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => current.rounds.get(roundId), [roundId]),
  );
