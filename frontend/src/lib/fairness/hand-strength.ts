import type { Card } from "@/lib/cards";
import { rankOf } from "./cards";

/** From low to high. */
export const CATEGORIES = [
  "High Card",
  "Pair",
  "Two Pair",
  "Three of a Kind",
  "Straight",
  "Flush",
  "Full House",
  "Four of a Kind",
  "Straight Flush",
  "Royal Flush",
] as const;
export type Category = (typeof CATEGORIES)[number];

const ACE = 14;
const WHEEL_TOP = 5;

/** The strength of the best five of five to seven cards: the category, then the tie-breaking ranks. */
export type Strength = readonly [category: number, ...ranks: number[]];

export const categoryOf = ([category]: Strength): Category => CATEGORIES[category] ?? "High Card";

/** Positive if the first hand is better. */
export function compareStrengths(one: Strength, other: Strength): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The top of the highest straight among some ranks, where the ace also counts as one; 0 for none. */
function straightTop(ranks: ReadonlySet<number>): number {
  for (let top = ACE; top >= WHEEL_TOP; top -= 1) {
    const has = [0, 1, 2, 3, 4].every((step) => ranks.has(top - step) || (top - step === 1 && ranks.has(ACE)));
    if (has) return top;
  }
  return 0;
}

function flushOf(cards: readonly Card[]): number[] | null {
  for (const { suit } of cards) {
    const ranks = cards.filter((card) => card.suit === suit).map(rankOf);
    if (ranks.length >= 5) return ranks.toSorted((a, b) => b - a);
  }
  return null;
}

/** Ranks with their counts: the most frequent first, then the highest. */
function groupsOf(cards: readonly Card[]): { rank: number; count: number }[] {
  const counts = new Map<number, number>();
  for (const card of cards) counts.set(rankOf(card), (counts.get(rankOf(card)) ?? 0) + 1);
  return [...counts].map(([rank, count]) => ({ rank, count })).toSorted((a, b) => b.count - a.count || b.rank - a.rank);
}

/** The strength of the best five-card hand in five, six or seven cards, by counting rather than by trying. */
export function strengthOf(cards: readonly Card[]): Strength {
  const flush = flushOf(cards);
  const straightFlush = flush === null ? 0 : straightTop(new Set(flush));
  if (straightFlush === ACE) return [9];
  if (straightFlush > 0) return [8, straightFlush];
  const groups = groupsOf(cards);
  const [first, second] = groups;
  if (!first || !second) throw new Error("a hand has at least five cards");
  /** The highest remaining ranks. */
  const kickers = (count: number, ...used: number[]) =>
    groups
      .map(({ rank }) => rank)
      .filter((rank) => !used.includes(rank))
      .toSorted((a, b) => b - a)
      .slice(0, count);
  if (first.count === 4) return [7, first.rank, ...kickers(1, first.rank)];
  if (first.count === 3 && second.count >= 2) return [6, first.rank, second.rank];
  if (flush !== null) return [5, ...flush.slice(0, 5)];
  const straight = straightTop(new Set(groups.map(({ rank }) => rank)));
  if (straight > 0) return [4, straight];
  if (first.count === 3) return [3, first.rank, ...kickers(2, first.rank)];
  if (second.count === 2) return [2, first.rank, second.rank, ...kickers(1, first.rank, second.rank)];
  if (first.count === 2) return [1, first.rank, ...kickers(3, first.rank)];
  return [0, ...kickers(5)];
}
