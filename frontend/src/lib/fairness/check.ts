import { type ExactPayout, explainRounding, payoutCents, type RulesVersion } from "./cents";

/** What a round depends on, whichever its game. */
export type Seeds = { serverSeed: string; clientSeed: string; nonce: number };
/** What is claimed of a round of any game. */
export type RoundClaim = Seeds & { serverSeedHash: string; rules: RulesVersion; betCents: number; winCents: number };

/** A part of a claim, beside what was computed. */
export type Check = { name: string; claimed: string; computed: string; holds: boolean; note?: string };

/** What the round is credited, held against what its seeds and its rules give. */
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
