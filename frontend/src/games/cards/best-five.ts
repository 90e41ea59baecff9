import type { Card } from "@/lib/cards";
import { compareStrengths, strengthOf } from "@/lib/fairness/hand-strength";

const HAND = 5;

/** Each way to choose so many of the cards, in order. */
function choices(cards: readonly Card[], count: number): Card[][] {
  if (count === 0) return [[]];
  return cards.flatMap((card, index) => choices(cards.slice(index + 1), count - 1).map((rest) => [card].concat(rest)));
}

/** The five cards that make the best hand of five to seven. Of equally good ones the first are taken. */
export function bestFive(cards: readonly Card[]): Card[] {
  const [first, ...others] = choices(cards, HAND);
  if (!first) throw new Error("a hand has at least five cards");
  return others.reduce(
    (best, choice) => (compareStrengths(strengthOf(choice), strengthOf(best)) > 0 ? choice : best),
    first,
  );
}
