import useSWR from "swr";
import { fetchFairness } from "@/api/trust/calls";
import { FAIRNESS } from "@/api/trust/seed-keys";
import type { FairnessState } from "@/api/trust/wire";

/** The seeds of the next round. Each time they are shown they are fetched: a round may have been played just before. */
export const useFairness = () => useSWR<FairnessState, unknown>(FAIRNESS, fetchFairness, { dedupingInterval: 0 });
