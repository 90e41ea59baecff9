import type { ReactNode } from "react";
import type { Check, RoundClaim, Seeds } from "@/lib/fairness/check";
import type { SettledRound } from "./api";

export type Verification = {
  checks: Check[];
  holds: boolean;
  /** How the result follows from the stream, after "HMAC-SHA256 of …". */
  derivation: string;
  /** The recomputed cards or the recomputed market, where there are any to look at. */
  evidence?: ReactNode;
};

/** What recomputes the rounds of a game in the browser. */
export type Verifier = {
  /** Holds a settled round against its seeds; null where it is of another game. */
  verify(round: SettledRound, claim: RoundClaim): Promise<Verification | null>;
  /** What the game gives out for any seeds. */
  compute(seeds: Seeds): Promise<ReactNode>;
};
