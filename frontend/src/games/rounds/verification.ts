import type { ReactNode } from "react";
import type { Check, RoundClaim, Seeds } from "@/lib/fairness/check";
import type { PublishedGame } from "@/lib/fairness/published";
import type { SettledRound } from "./api";

export type Verification = {
  checks: Check[];
  holds: boolean;
  /** How the stream determines the result, after "HMAC-SHA256 of …". */
  derivation: string;
  /** The recomputed cards or market, if the game has any to show. */
  evidence?: ReactNode;
};

/** Recomputes the rounds of a game in the browser. */
export type Verifier = {
  /** Verifies a settled round against its seeds; null for another game. */
  verify(round: SettledRound, claim: RoundClaim): Promise<Verification | null>;
  /** The game's result for any seeds. */
  compute(seeds: Seeds): Promise<ReactNode>;
  /** Verifies published rounds, which anyone can do without their seeds. */
  published: PublishedGame;
  /** The player's choices in a settled round as they are published; null for another game. */
  publishedTerms(round: SettledRound): unknown;
};
