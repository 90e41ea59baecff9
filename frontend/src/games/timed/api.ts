import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type RoundResult = Schemas["LiveState"];
/** The fields that the rounds of all timed games share. */
export type LiveRound = Schemas["LiveResult"] & { result: RoundResult };
