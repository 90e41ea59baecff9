import { type PublishedGame, publishedFrom, publishedPayout, type PublishedRound } from "@/lib/fairness/published";
import { centsOf } from "@/lib/money";
import { GAMES, loadVerifiers } from "./registry";
import type { SettledRound } from "./rounds/api";

/** A published round next to the payout that its words and terms give. */
export type RecomputedRound = { payout: number; holds: boolean };

/**
 * Recomputes a published round of any game from its words, without its seeds; null if the game is unknown. Throws an
 * `ImpossibleRoundError` if the rules do not allow the round.
 */
export async function recomputePublished(round: PublishedRound): Promise<RecomputedRound | null> {
  const game = (await loadPublishedGames()).get(round.game);
  if (!game) return null;
  const payout = publishedPayout(game, round);
  return { payout, holds: payout === round.payout };
}

/** The games of published rounds, by name, for callers that recompute many rounds. */
export async function loadPublishedGames(): Promise<ReadonlyMap<string, PublishedGame>> {
  const verifiers = await loadVerifiers();
  return new Map(verifiers.map(({ published }) => [published.name, published]));
}

/** The labels of the games by their names in published rounds. */
export async function loadPublishedLabels(): Promise<ReadonlyMap<string, string>> {
  const labels = GAMES.map(async ({ loadVerifier, reportLabel }): Promise<[string, string]> => {
    const { verifier } = await loadVerifier();
    return [verifier.published.name, reportLabel];
  });
  return new Map(await Promise.all(labels));
}

/**
 * What must be published of a player's settled round, by its revealed seeds, in the order of the fields; null if no
 * game knows it. Throws an `ImpossibleRoundError` if the rules do not allow the round.
 */
export async function expectedPublished(round: SettledRound, serverSeed: string): Promise<PublishedRound | null> {
  const { clientSeed, nonce, rulesVersion: rules } = round;
  for (const { published, publishedTerms } of await loadVerifiers()) {
    const terms = publishedTerms(round);
    if (terms !== null) {
      return publishedFrom(
        published,
        { serverSeed, clientSeed, nonce },
        { rules, stake: centsOf(round.betAmount), terms },
      );
    }
  }
  return null;
}
