import type { TrustStore } from "./store";

/** The name of the file with the evidence. */
export const EVIDENCE_FILE = "glasshouse-evidence.json";

/** What a player gives to others, so that they can check the player's claims. */
export async function evidenceOf(store: TrustStore, userId: number, nowMs: number): Promise<object> {
  const [keys, failures, receipts] = await Promise.all([store.keys(), store.failures(), store.receipts()]);
  const origins = [...new Set(keys.map((key) => key.slice(0, key.indexOf("+"))))];
  const checkpoints = await Promise.all(origins.map((origin) => store.checkpoint(origin)));
  return {
    format: "glasshouse evidence v1",
    player: userId,
    savedAt: new Date(nowMs).toISOString(),
    keys,
    checkpoints: checkpoints.filter((note) => note !== undefined),
    failures: failures.map(({ kind, message, atMs, evidence }) => ({
      kind,
      message,
      foundAt: new Date(atMs).toISOString(),
      evidence,
    })),
    receipts,
  };
}
