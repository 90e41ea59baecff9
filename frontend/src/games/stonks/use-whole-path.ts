import useSWR from "swr";
import { fetchSettledRound } from "@/games/rounds/api";
import type { LiveState } from "@/games/timed/round-state";
import { type StonksRound, stonksDetailsOf } from "./api";

/** A settled round never changes. */
const ONCE = { revalidateIfStale: false, revalidateOnFocus: false, revalidateOnReconnect: false } as const;

/** All prices of a sold round: its details also have those after the sale. Null until they are loaded. */
export function useWholePath(state: LiveState<StonksRound>): readonly number[] | null {
  const id = state.phase === "cashed_out" ? state.round.roundId : null;
  const { data } = useSWR(id === null ? null : ["settled-round", id], () => fetchSettledRound(id ?? 0), ONCE);
  return (data && stonksDetailsOf(data)?.points) ?? null;
}
