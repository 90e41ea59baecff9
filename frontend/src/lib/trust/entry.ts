import { isWhole, type PublishedRound } from "@/lib/fairness/published";
import { malformed } from "./proof-error";

// The entries of the public log: lines of JSON with their fields in a fixed order.

/** The public entry of a round that was settled in this second since 1970. */
export function entryLine({ game, rules, stake, payout, terms, words }: PublishedRound, second: number): string {
  return JSON.stringify({ kind: "round", game, rules, stake, payout, terms, words, second });
}

/** What else there are entries of. */
const OTHER_KINDS: ReadonlySet<unknown> = new Set(["rules", "books", "key", "restart"]);

export type RoundEntry = { round: PublishedRound; second: number };

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

const isWholeNumber = (value: unknown): value is number => isWhole(value, 0, Number.MAX_SAFE_INTEGER);

/** Reads the entry of a round; null for entries of other kinds. Throws a ProofError unless it has the exact format. */
export function readRoundEntry(line: string): RoundEntry | null {
  const json = parsed(line);
  if (typeof json !== "object" || json === null || !("kind" in json)) throw malformed("The entry has no kind.");
  if (OTHER_KINDS.has(json.kind)) return null;
  if (json.kind !== "round") throw malformed("The entry's kind is unknown.");
  const { game, rules, stake, payout, terms, words, second } = json as Readonly<Record<string, unknown>>;
  const isTyped =
    typeof game === "string" &&
    isWholeNumber(rules) &&
    isWholeNumber(stake) &&
    isWholeNumber(payout) &&
    typeof terms === "object" &&
    terms !== null &&
    typeof words === "string" &&
    /^(?:[0-9a-f]{64})+$/.test(words) &&
    isWholeNumber(second);
  if (!isTyped) throw malformed("The entry is not complete.");
  const round = { game, rules, stake, payout, terms, words };
  // An entry has one text only, so that nothing else can be hidden in it.
  if (entryLine(round, second) !== line) throw malformed("The entry is not in its only form.");
  return { round, second };
}
