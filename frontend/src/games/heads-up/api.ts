import { api, bodyOf, headerOf } from "@/api/client";
import type { components } from "@/api/schema";
import { fetchAnalysis } from "@/games/cards/api";
import { fetchOpenRounds, type SettledRound } from "@/games/rounds/api";
import type { Card } from "@/lib/cards";

// The generated types have every null as something that may also be missing, and a card's value as
// any text; here is what is really there.

type Schemas = components["schemas"];

export type HeadsUpAction = Schemas["HeadsUpAction"];
export type HeadsUpOutcome = Schemas["HeadsUpOutcome"];
export type HeadsUpHand = Omit<Required<Schemas["HeadsUpHand"]>, "playerCards" | "board" | "houseCards"> & {
  playerCards: Card[];
  /** Three cards while dealt, then five. */
  board: Card[];
  houseCards: Card[] | null;
};
export type HeadsUpPlay = { betAmount: string; action: HeadsUpAction; roundId: number };
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

/** What a settled round has of heads-up; null where it is of another game. */
export const headsUpDetailsOf = ({ headsUp }: SettledRound) => (headsUp ?? null) as HeadsUpRoundDetails | null;

export const dealHeadsUp = async (body: { betAmount: string }, key: string) =>
  bodyOf<HeadsUpHand>(await api.POST("/api/poker/heads-up/deal", { body, params: headerOf(key) }));
export const playHeadsUp = async (body: HeadsUpPlay, key: string) => bodyOf<HeadsUpHand>(await api.POST("/api/poker/play", { body, params: headerOf(key) }));
export const fetchOpenHand = async () => (await fetchOpenRounds()).headsUp as HeadsUpHand | null;
export const fetchHeadsUpAnalysis = (id: number) => fetchAnalysis<HeadsUpAnalysis>(id);
