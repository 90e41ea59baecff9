// The calls and formats of verifiable fairness as the design has them. `schema.d.ts` replaces this file as soon as the
// server's document contains them: `seed-calls.ts` is the only file that uses the paths.

export type ClientSeedBy = "player" | "house";

/** The seeds committed for the player's next rounds. */
export type FairnessState = {
  serverSeedHash: string;
  clientSeed: string;
  clientSeedBy: ClientSeedBy;
  /** The nonce of the next round. */
  nonce: number;
  nextServerSeedHash: string;
};

/** The pair that a rotation revealed. Its nonce is the number of its rounds. */
export type RevealedPair = {
  serverSeed: string;
  serverSeedHash: string;
  clientSeed: string;
  clientSeedBy: ClientSeedBy;
  nonce: number;
};
export type FairnessRotation = { revealed: RevealedPair; current: FairnessState };

export type FormerPair = {
  serverSeed: string;
  serverSeedHash: string;
  clientSeed: string;
  clientSeedBy: ClientSeedBy;
  /** How many nonces were used. */
  rounds: number;
  committedAt: string;
  activatedAt: string;
  revealedAt: string;
};

export type WireReceipt = { text: string; index: number; path: string[]; note: string };
export type LogProof = { index: number; path: string[]; checkpoint: string };

/** The new codes of refusals. */
export type TrustErrorCode = "next_seed_changed" | "seed_pair_used";

type Json<T> = { content: { "application/json": T } };
type Parameters<P extends object> = { parameters: P };
type Answer<T> = { responses: { 200: Json<T> } };
type Body<T> = { requestBody: Json<T> };
type NoParameters = Parameters<{ query?: never; header?: never; path?: never; cookie?: never }>;
type RoundPath = Parameters<{ query?: never; header?: never; path: { id: number }; cookie?: never }>;

/** In the form of the generated types. */
export interface TrustPaths {
  "/api/fairness": { get: NoParameters & Answer<FairnessState> };
  "/api/fairness/client-seed": { put: NoParameters & Body<{ clientSeed: string }> & Answer<FairnessState> };
  "/api/fairness/rotate": {
    post: NoParameters & Body<{ clientSeed: string; nextServerSeedHash: string }> & Answer<FairnessRotation>;
  };
  "/api/fairness/pairs": {
    get: Parameters<{ query: { limit: number; cursor?: string } }> & Answer<FormerPair[]>;
  };
  "/api/rounds/{id}/receipt": { get: RoundPath & Answer<WireReceipt> };
  "/api/rounds/{id}/proof": { get: RoundPath & Answer<LogProof> };
  "/api/log/consistency": {
    get: Parameters<{ query: { from: number; to: number } }> & Answer<{ path: string[] }>;
  };
}
