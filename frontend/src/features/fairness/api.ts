import useSWR from "swr";
import { fetchFairness, fetchPairs } from "@/api/trust/calls";
import type { ClientSeedBy, FairnessState } from "@/api/trust/wire";

/** The seeds of the next round. */
export const useFairness = () => useSWR<FairnessState, unknown>("fairness", fetchFairness);

/** Somebody with more pairs than this has chosen the client seeds of the latest ones. */
const MAX_PAGES = 50;

/** Who chose the client seed of a pair; null if the player has no such pair. */
async function findClientSeedBy(serverSeedHash: string): Promise<ClientSeedBy | null> {
  const active = await fetchFairness();
  if (active.serverSeedHash === serverSeedHash) return active.clientSeedBy;
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page has the cursor of the next
    const { entries, next } = await fetchPairs(cursor);
    const pair = entries.find((entry) => entry.serverSeedHash === serverSeedHash);
    if (pair || next === null) return pair?.clientSeedBy ?? null;
    cursor = next;
  }
  return null;
}

/** Who chose the client seed of a round's pair; undefined until it is known. */
export function useClientSeedBy(serverSeedHash: string): ClientSeedBy | null | undefined {
  const { data } = useSWR(["client-seed-by", serverSeedHash] as const, ([, hash]) => findClientSeedBy(hash));
  return data;
}
