import type { components } from "../schema";

// The server's formats of verifiable fairness.

type Schemas = components["schemas"];

export type ClientSeedBy = Schemas["ClientSeedBy"];
/** The seeds committed for the player's next rounds. */
export type FairnessState = Schemas["FairnessState"];
/** The pair that a rotation revealed. Its nonce is the number of its rounds. */
export type RevealedPair = Schemas["RevealedSeedPair"];
export type FairnessRotation = Schemas["FairnessRotation"];
export type FormerPair = Schemas["FormerPair"];
export type RoundInclusion = Schemas["RoundInclusion"];
