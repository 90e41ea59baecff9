import useSWR from "swr";
import { fetchFairness } from "@/api/trust/calls";
import type { FairnessState } from "@/api/trust/wire";

/** The seeds of the next round. */
export const useFairness = () => useSWR<FairnessState, unknown>("fairness", fetchFairness);
