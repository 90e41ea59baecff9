import type { Card, CardValue, Suit } from "@/lib/cards";

const SUITS: Record<string, Suit> = { D: "diamonds", H: "hearts", S: "spades", C: "clubs" };

/** Parses cards such as "QD 10H AS". */
export const cardsOf = (text: string): Card[] =>
  text.split(" ").map((each) => ({ value: each.slice(0, -1) as CardValue, suit: SUITS[each.slice(-1)] ?? "spades" }));
