import type { components } from "@/api/schema";

// The generated types have every null as something that may also be missing; the server writes nulls
// out, so `Required` says what is really there.

type Schemas = components["schemas"];

export type RoundResult = Schemas["LiveState"];
/** What every round of a timed game has. */
export type LiveRound = Required<Schemas["LiveResult"]> & { result: RoundResult };
