import { loadPublishedGames, loadPublishedLabels } from "@/games/published-round";
import { isKnownRules } from "@/lib/fairness/cents";
import { ImpossibleRoundError, type PublishedGame, publishedPayout } from "@/lib/fairness/published";
import { readRoundEntry, type RoundEntry } from "@/lib/trust/entry";
import { ProofError } from "@/lib/trust/proof-error";
import type { LogLine } from "./api";

/** What the browser found when it recomputed an entry. */
export type Finding =
  | { kind: "holds" }
  /** The page does not know the game or its rules. */
  | { kind: "unknown" }
  | { kind: "contradiction"; reason: string };

/** A published round, recomputed. */
export type CheckedRound = {
  index: number;
  line: string;
  /** Null if the entry cannot be read. */
  entry: RoundEntry | null;
  /** The game's name for people. */
  label: string;
  finding: Finding;
};

function recompute({ round }: RoundEntry, game: PublishedGame | undefined): Finding {
  if (game === undefined || !isKnownRules(round.rules)) return { kind: "unknown" };
  try {
    const payout = publishedPayout(game, round);
    if (payout === round.payout) return { kind: "holds" };
    return { kind: "contradiction", reason: `Its words and choices give a payout of ${payout} cents.` };
  } catch (error) {
    if (error instanceof ImpossibleRoundError) return { kind: "contradiction", reason: error.message };
    throw error;
  }
}

/** Recomputes the rounds among the entries; entries of other kinds are left out. */
export async function recomputeRounds(entries: readonly LogLine[]): Promise<CheckedRound[]> {
  const [games, labels] = await Promise.all([loadPublishedGames(), loadPublishedLabels()]);
  return entries.flatMap(({ index, entry: line }): CheckedRound[] => {
    try {
      const entry = readRoundEntry(line);
      if (entry === null) return [];
      const { game } = entry.round;
      return [{ index, line, entry, label: labels.get(game) ?? game, finding: recompute(entry, games.get(game)) }];
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
      return [{ index, line, entry: null, label: "–", finding: { kind: "contradiction", reason: error.message } }];
    }
  });
}
