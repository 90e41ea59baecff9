import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema";

export type RoundAnalysis = components["schemas"]["RoundAnalysis"];
export type AnalysisOf<K extends RoundAnalysis["kind"]> = Extract<RoundAnalysis, { kind: K }>;

const isOf = <K extends RoundAnalysis["kind"]>(analysis: RoundAnalysis, kind: K): analysis is AnalysisOf<K> =>
  analysis.kind === kind;

/** Analyses a settled hand against the best play; what the result contains depends on the game. */
export async function fetchAnalysis<K extends RoundAnalysis["kind"]>(kind: K, roundId: number): Promise<AnalysisOf<K>> {
  const analysis = unwrap(await api.GET("/api/poker/analysis/{round_id}", { params: { path: { round_id: roundId } } }));
  if (!isOf(analysis, kind)) throw new Error("an analysis of another game");
  return analysis;
}
