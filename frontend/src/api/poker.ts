import type { Card } from "@/lib/cards";
import { api, bodyOf, headerOf } from "./client";
import { fetchRound, type LiveRoundDetails } from "./live";
import type { components } from "./schema";

// The calls of the two poker games. As with the live games, the generated types have every null as
// something that may also be missing, and a card's value as any text; here is what is really there.

type Schemas = components["schemas"];

export type HandRank = Schemas["PokerHandRank"];
export type PokerHand = Omit<Required<Schemas["PokerHand"]>, "hand"> & { hand: Card[] };
export type PokerBet = Required<Schemas["PokerDealRequest"]>;
export type PokerDraw = PokerBet & { heldIndexes: number[]; roundId: number };

export type HeadsUpAction = Schemas["HeadsUpAction"];
export type HeadsUpOutcome = Schemas["HeadsUpOutcome"];
export type HeadsUpHand = Omit<Required<Schemas["HeadsUpHand"]>, "playerCards" | "board" | "houseCards"> & {
  playerCards: Card[];
  /** Three cards while dealt, then five. */
  board: Card[];
  houseCards: Card[] | null;
};
export type HeadsUpPlay = { betAmount: string; action: HeadsUpAction; roundId: number };

export type OpenHands = { poker: PokerHand | null; headsUp: HeadsUpHand | null };

export type PokerRoundDetails = Omit<Required<Schemas["PokerRoundDetails"]>, "dealt" | "hand"> & { dealt: Card[]; hand: Card[] };
/** Of a settled hand, which has an action and an outcome. */
export type HeadsUpRoundDetails = {
  playerCards: Card[];
  houseCards: Card[];
  board: Card[];
  action: HeadsUpAction;
  outcome: HeadsUpOutcome;
  houseQualifies: boolean | null;
  openingBetAmount: string;
  stakedAmount: string;
};
/** A settled round of any game. */
export type SettledRound = Omit<LiveRoundDetails, "poker" | "headsUp"> & { poker: PokerRoundDetails | null; headsUp: HeadsUpRoundDetails | null };

export type HoldValue = Schemas["AnalysedHold"];
export type VideoPokerAnalysis = Extract<Schemas["RoundAnalysis"], { kind: "video_poker" }>;
/** Written by hand: the document has one of its names in another spelling than the wire. */
export type HeadsUpAnalysis = {
  kind: "heads_up";
  completions: number;
  wins: number;
  ties: number;
  losses: number;
  houseUnqualified: number;
  actions: Schemas["AnalysedAction"][];
  chosen: HeadsUpAction;
};

/** A hold that is not answered may not keep a player from drawing. */
const HOLD_TIMEOUT_MS = 5000;

export const dealPoker = async (body: PokerBet, key: string) => bodyOf<PokerHand>(await api.POST("/api/poker/deal", { body, params: headerOf(key) }));
export const drawPoker = async (body: PokerDraw, key: string) => bodyOf<PokerHand>(await api.POST("/api/poker/draw", { body, params: headerOf(key) }));
export const holdPoker = async (heldIndexes: number[], roundId: number) =>
  bodyOf<PokerHand>(await api.POST("/api/poker/hold", { body: { heldIndexes, roundId }, signal: AbortSignal.timeout(HOLD_TIMEOUT_MS) }));

export const dealHeadsUp = async (body: { betAmount: string }, key: string) =>
  bodyOf<HeadsUpHand>(await api.POST("/api/poker/heads-up/deal", { body, params: headerOf(key) }));
export const playHeadsUp = async (body: HeadsUpPlay, key: string) => bodyOf<HeadsUpHand>(await api.POST("/api/poker/play", { body, params: headerOf(key) }));

export const fetchOpenHands = async () => bodyOf<OpenHands>(await api.GET("/api/open-rounds"));
export const fetchSettledRound = async (id: number) => bodyOf<SettledRound>({ data: await fetchRound(id) });

async function fetchAnalysis<T>(id: number): Promise<T> {
  return bodyOf(await api.GET("/api/poker/analysis/{round_id}", { params: { path: { round_id: id } } }));
}
export const fetchVideoPokerAnalysis = (id: number) => fetchAnalysis<VideoPokerAnalysis>(id);
export const fetchHeadsUpAnalysis = (id: number) => fetchAnalysis<HeadsUpAnalysis>(id);
