import { api, bodyOf, headerOf } from "@/api/client";
import type { components } from "@/api/schema";
import { fetchAnalysis } from "@/games/cards/api";
import { fetchOpenRounds, type SettledRound } from "@/games/rounds/api";
import type { Card } from "@/lib/cards";

// The generated types have every null as something that may also be missing, and a card's value as
// any text; here is what is really there.

type Schemas = components["schemas"];

export type PokerHand = Omit<Required<Schemas["PokerHand"]>, "hand"> & { hand: Card[] };
export type PokerBet = Required<Schemas["PokerDealRequest"]>;
export type PokerDraw = PokerBet & { heldIndexes: number[]; roundId: number };
export type PokerRoundDetails = Omit<Required<Schemas["PokerRoundDetails"]>, "dealt" | "hand"> & { dealt: Card[]; hand: Card[] };

export type HoldValue = Schemas["AnalysedHold"];
export type VideoPokerAnalysis = Extract<Schemas["RoundAnalysis"], { kind: "video_poker" }>;

/** A hold that is not answered may not keep a player from drawing. */
const HOLD_TIMEOUT_MS = 5000;

/** What a settled round has of video poker; null where it is of another game. */
export const pokerDetailsOf = ({ poker }: SettledRound) => (poker ?? null) as PokerRoundDetails | null;

export const dealPoker = async (body: PokerBet, key: string) => bodyOf<PokerHand>(await api.POST("/api/poker/deal", { body, params: headerOf(key) }));
export const drawPoker = async (body: PokerDraw, key: string) => bodyOf<PokerHand>(await api.POST("/api/poker/draw", { body, params: headerOf(key) }));
export const holdPoker = async (heldIndexes: number[], roundId: number) =>
  bodyOf<PokerHand>(await api.POST("/api/poker/hold", { body: { heldIndexes, roundId }, signal: AbortSignal.timeout(HOLD_TIMEOUT_MS) }));
export const fetchOpenHand = async () => (await fetchOpenRounds()).poker as PokerHand | null;
export const fetchVideoPokerAnalysis = (id: number) => fetchAnalysis<VideoPokerAnalysis>(id);
