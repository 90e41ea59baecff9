export type Suit = "hearts" | "diamonds" | "clubs" | "spades";
export type CardValue = "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10" | "J" | "Q" | "K" | "A";
export type Card = { suit: Suit; value: CardValue };

/** From low to high. */
export const VALUES: readonly CardValue[] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

const CARD_NAMES: Partial<Record<CardValue, string>> = { J: "Jack", Q: "Queen", K: "King", A: "Ace" };
const SIGNS: Record<Suit, string> = { hearts: "♥", diamonds: "♦", clubs: "♣", spades: "♠" };

/** "Queen of hearts", for screen readers. */
export const cardName = ({ suit, value }: Card): string => `${CARD_NAMES[value] ?? value} of ${suit}`;

/** "Queen of hearts, 4 of clubs". */
export const cardNames = (cards: readonly Card[]): string => cards.map(cardName).join(", ");

/** "Q♥ 4♣", where space is short. */
export const cardSigns = (cards: readonly Card[]): string =>
  cards.map(({ suit, value }) => `${value}${SIGNS[suit]}`).join(" ");

/** Unique within a deck. */
export const cardKey = ({ suit, value }: Card): string => `${value}-${suit}`;
