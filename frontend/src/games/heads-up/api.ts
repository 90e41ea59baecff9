import { api, unwrap, idempotencyHeader } from "@/api/client";
import { clientSeedChosen } from "@/api/trust/own-client-seed";
import type { components } from "@/api/schema";
import { type AnalysisOf, fetchAnalysis } from "@/games/cards/api";
import { fetchOpenRounds, type SettledRound } from "@/games/rounds/api";

type Schemas = components["schemas"];

export type HeadsUpAction = Schemas["HeadsUpAction"];
export type HeadsUpOutcome = Schemas["HeadsUpOutcome"];
export type HeadsUpHand = Schemas["HeadsUpHand"];
export type HeadsUpPlay = { betAmount: string; action: HeadsUpAction; roundId: number };
/** For a settled hand, which has an action and an outcome. */
export type HeadsUpRoundDetails = Schemas["HeadsUpRoundDetails"] & { action: HeadsUpAction; outcome: HeadsUpOutcome };
export type HeadsUpAnalysis = AnalysisOf<"heads_up">;

const isSettled = (details: Schemas["HeadsUpRoundDetails"]): details is HeadsUpRoundDetails =>
  details.action !== null && details.outcome !== null;

/** The heads-up part of a settled round; null for another game. */
export const headsUpDetailsOf = ({ headsUp }: SettledRound) =>
  headsUp !== null && isSettled(headsUp) ? headsUp : null;

export async function dealHeadsUp(body: { betAmount: string }, key: string): Promise<HeadsUpHand> {
  await clientSeedChosen();
  return unwrap(await api.POST("/api/poker/heads-up/deal", { body, params: idempotencyHeader(key) }));
}
export const playHeadsUp = async (body: HeadsUpPlay, key: string) =>
  unwrap(await api.POST("/api/poker/play", { body, params: idempotencyHeader(key) }));
export const fetchOpenHand = async () => (await fetchOpenRounds()).headsUp;
export const fetchHeadsUpAnalysis = (id: number) => fetchAnalysis("heads_up", id);
