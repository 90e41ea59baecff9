import useSWR from "swr";
import { fetchFairness } from "@/api/trust/calls";
import type { FairnessState } from "@/api/trust/wire";

/** The seeds of the next round. Each time they are shown they are fetched: a round may have been played just before. */
export const useFairness = () => useSWR<FairnessState, unknown>("fairness", fetchFairness, { dedupingInterval: 0 });
