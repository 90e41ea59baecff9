import { api, bodyOf } from "@/api/client";

/** What the best play of a settled hand would have been; what is told of it goes by its game. */
export async function fetchAnalysis<T>(roundId: number): Promise<T> {
  return bodyOf(await api.GET("/api/poker/analysis/{round_id}", { params: { path: { round_id: roundId } } }));
}
