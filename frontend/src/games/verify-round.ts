import { isKnownRules } from "@/lib/fairness/cents";
import { centsOf } from "@/lib/money";
import { loadVerifiers } from "./registry";
import type { SettledRound } from "./rounds/api";
import type { Verification } from "./rounds/verification";

/** Recomputes a round of any game by its rules version; null if it cannot be verified yet. */
export async function verifyRound(round: SettledRound, serverSeed: string): Promise<Verification | null> {
  const { serverSeedHash, clientSeed, nonce, rulesVersion: rules } = round;
  if (!isKnownRules(rules)) return null;
  const claim = {
    serverSeed,
    serverSeedHash,
    clientSeed,
    nonce,
    rules,
    betCents: centsOf(round.betAmount),
    winCents: centsOf(round.winAmount),
  };
  const verifiers = await loadVerifiers();
  const verifications = await Promise.all(verifiers.map((verifier) => verifier.verify(round, claim)));
  return verifications.find((verification) => verification !== null) ?? null;
}
