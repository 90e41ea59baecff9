import { type ExactPayout, explainRounding, payoutCents, type RulesVersion } from "./cents";

/** The inputs of a round, whatever its game. */
export type Seeds = { serverSeed: string; clientSeed: string; nonce: number };
/** The claim about a round of any game. */
export type RoundClaim = Seeds & { serverSeedHash: string; rules: RulesVersion; betCents: number; winCents: number };

/** One part of a claim, next to the computed value. */
export type Check = { name: string; claimed: string; computed: string; holds: boolean; note?: string };

/** Compares the credited amount with the one computed from the seeds and the rules. */
export async function winCheck(
  payout: ExactPayout,
  claim: Seeds & Pick<RoundClaim, "rules" | "winCents">,
): Promise<Check> {
  const rounded = await payoutCents(payout, claim.rules, claim.serverSeed, claim.clientSeed, claim.nonce);
  const { cents } = rounded;
  const note = explainRounding(payout, rounded);
  return {
    name: "Win amount in cents",
    claimed: String(claim.winCents),
    computed: String(cents),
    holds: cents === claim.winCents,
    ...(note === "" ? {} : { note }),
  };
}
