import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type RoundResult = Schemas["LiveState"];
/** What every round of a timed game has. */
export type LiveRound = Schemas["LiveResult"] & { result: RoundResult };
