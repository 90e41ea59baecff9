import { api, unwrap, idempotencyHeader } from "@/api/client";
import { clientSeedChosen } from "@/api/trust/own-client-seed";
import type { components } from "@/api/schema";
import { type AnalysisOf, fetchAnalysis } from "@/games/cards/api";
import { fetchOpenRounds, type SettledRound } from "@/games/rounds/api";

type Schemas = components["schemas"];

export type PokerHand = Schemas["PokerHand"];
export type PokerBet = Required<Schemas["PokerDealRequest"]>;
export type PokerDraw = PokerBet & { heldIndexes: number[]; roundId: number };
export type PokerRoundDetails = Schemas["PokerRoundDetails"];

export type HoldValue = Schemas["AnalysedHold"];
export type VideoPokerAnalysis = AnalysisOf<"video_poker">;

/** An unanswered hold must not prevent the draw. */
const HOLD_TIMEOUT_MS = 5000;

/** The video poker part of a settled round; null for another game. */
export const pokerDetailsOf = ({ poker }: SettledRound) => poker;

export async function dealPoker(body: PokerBet, key: string): Promise<PokerHand> {
  await clientSeedChosen();
  return unwrap(await api.POST("/api/poker/deal", { body, params: idempotencyHeader(key) }));
}
export const drawPoker = async (body: PokerDraw, key: string) =>
  unwrap(await api.POST("/api/poker/draw", { body, params: idempotencyHeader(key) }));
export const holdPoker = async (heldIndexes: number[], roundId: number) =>
  unwrap(
    await api.POST("/api/poker/hold", { body: { heldIndexes, roundId }, signal: AbortSignal.timeout(HOLD_TIMEOUT_MS) }),
  );
export const fetchOpenHand = async () => (await fetchOpenRounds()).poker;
export const fetchVideoPokerAnalysis = (id: number) => fetchAnalysis("video_poker", id);
