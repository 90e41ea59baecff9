// Something that the player is to see before autobet places another bet.

let reason: string | null = null;
const listeners = new Set<() => void>();

/** Why autobet waits; null if it does not. */
export const heldBy = (): string | null => reason;

/** Lets autobet wait for the reason, a sentence, or go on. */
export function holdPlay(next: string | null): void {
  if (next === reason) return;
  reason = next;
  for (const listener of listeners) listener();
}

export function onHoldChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
