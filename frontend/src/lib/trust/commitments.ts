import { sha256Hex } from "@/lib/fairness/stream";
import type { Commitment } from "./records";
import type { FoundFailure, TrustStore } from "./store";

// What the house showed of its seeds must not change: each check returns what does not hold.

/** The active pair as the house shows it. */
export type ShownState = {
  serverSeedHash: string;
  clientSeed: string;
  clientSeedBy: "player" | "house";
  nonce: number;
  nextServerSeedHash: string;
};
/** A pair whose server seed was revealed. */
export type ShownPair = { serverSeed: string; serverSeedHash: string; clientSeed: string };

/** `gap`: the pair follows one that this browser has not seen; it holds what was the last known pair. */
export type Observation = { failures: FoundFailure[]; gap: Commitment | null };

function contradictionsOf(known: Commitment, shown: ShownState): FoundFailure[] {
  const failures: FoundFailure[] = [];
  const { serverSeedHash } = shown;
  if (known.nextServerSeedHash !== null && known.nextServerSeedHash !== shown.nextServerSeedHash)
    failures.push({
      kind: "next_hash_changed",
      subject: serverSeedHash,
      message: "The house shows another hash for your next server seed than it showed before for the same pair.",
      evidence: { shownBefore: known, shownNow: shown },
    });
  // The player can replace a client seed until the first round.
  if (known.nonce > 0 && known.clientSeed !== null && known.clientSeed !== shown.clientSeed)
    failures.push({
      kind: "client_seed_changed",
      subject: serverSeedHash,
      message: "Your client seed was changed after rounds had been played with it.",
      evidence: { shownBefore: known, shownNow: shown },
    });
  return failures;
}

/** Compares the active pair with what was shown before, and remembers it. */
export async function observeState(store: TrustStore, shown: ShownState): Promise<Observation> {
  const known = await store.commitment(shown.serverSeedHash);
  if (known) {
    // Answers can arrive out of order.
    if (shown.nonce < known.nonce) return { failures: [], gap: null };
    const failures = contradictionsOf(known, shown);
    if (failures.length === 0) await store.rememberCommitment(pick(shown));
    return { failures, gap: null };
  }
  const last = await store.newestCommitment();
  await store.rememberCommitment(pick(shown));
  const isContinued = last === undefined || last.nextServerSeedHash === shown.serverSeedHash;
  return { failures: [], gap: isContinued ? null : last };
}

const pick = ({ serverSeedHash, nextServerSeedHash, clientSeed, clientSeedBy, nonce }: ShownState) => ({
  serverSeedHash,
  nextServerSeedHash,
  clientSeed,
  clientSeedBy,
  nonce,
});

/** Compares revealed pairs with their hashes and with what was shown before. */
export async function checkRevealed(store: TrustStore, pairs: readonly ShownPair[]): Promise<FoundFailure[]> {
  const found = await Promise.all(
    pairs.map(async (pair): Promise<FoundFailure[]> => {
      const { serverSeed, serverSeedHash, clientSeed } = pair;
      const computedHash = await sha256Hex(serverSeed);
      if (computedHash !== serverSeedHash)
        return [
          {
            kind: "seed_mismatch",
            subject: serverSeedHash,
            message: "A revealed server seed does not have the hash that was shown for it.",
            evidence: { shownNow: pair, computedHash },
          },
        ];
      const known = await store.commitment(serverSeedHash);
      if (!known || known.nonce === 0 || known.clientSeed === null || known.clientSeed === clientSeed) return [];
      return [
        {
          kind: "client_seed_changed",
          subject: serverSeedHash,
          message: "A revealed pair has another client seed than the one that rounds were played with.",
          evidence: { shownBefore: known, shownNow: pair },
        },
      ];
    }),
  );
  return found.flat();
}

/** Remembers a pair that was rotated before it was seen, for answers that are still on the way. */
export async function rememberRevealed(store: TrustStore, pair: ShownPair, current: ShownState): Promise<void> {
  const { serverSeedHash, clientSeed } = pair;
  if (await store.commitment(serverSeedHash)) return;
  const nextServerSeedHash = current.serverSeedHash;
  await store.rememberCommitment({ serverSeedHash, nextServerSeedHash, clientSeed, clientSeedBy: null, nonce: 0 });
}

const notCommitted = (last: Commitment, shown: object): FoundFailure => ({
  kind: "pair_not_committed",
  subject: last.serverSeedHash,
  message: "Your new pair does not use the server seed that the house had committed to before.",
  evidence: { shownBefore: last, shownNow: shown },
});

/**
 * Compares the pair that followed a known one, because another device has rotated since. `former` lists the revealed
 * pairs, newest first, down to the known one or to the end; `active` is the hash in use.
 */
export function checkGap(last: Commitment, former: readonly ShownPair[], active: string): FoundFailure[] {
  if (last.nextServerSeedHash === null) return [];
  const at = former.findIndex(({ serverSeedHash }) => serverSeedHash === last.serverSeedHash);
  const successor = at > 0 ? former[at - 1]?.serverSeedHash : at === 0 ? active : undefined;
  return successor === last.nextServerSeedHash ? [] : [notCommitted(last, { former, active })];
}
