import { type Card, type Suit, VALUES } from "@/lib/cards";
import { scale, words } from "./stream";

const SUITS: readonly Suit[] = ["diamonds", "hearts", "spades", "clubs"];

/** The full deck: 2♦ 2♥ 2♠ 2♣ 3♦ … A♣. */
export const newDeck = (): Card[] => VALUES.flatMap((value) => SUITS.map((suit) => ({ suit, value })));

/** One card per word: the one at `below(remaining)`, which leaves the deck. */
export function cardsFrom(stream: readonly number[]): Card[] {
  const deck = newDeck();
  return stream.flatMap((word) => deck.splice(scale(word, deck.length), 1));
}

/** The first `count` cards for a round's seeds. */
export async function drawCards(serverSeed: string, clientSeed: string, nonce: number, count: number): Promise<Card[]> {
  return cardsFrom(await words(serverSeed, clientSeed, nonce, count));
}

/** Two to fourteen; aces are high. */
export const rankOf = ({ value }: Card): number => VALUES.indexOf(value) + 2;

export const sameCards = (one: readonly Card[], other: readonly Card[]): boolean =>
  one.length === other.length &&
  one.every((card, index) => card.suit === other[index]?.suit && card.value === other[index]?.value);
