import { bestFive } from "@/games/cards/best-five";
import { type Card, cardKey } from "@/lib/cards";
import type { HeadsUpHand } from "./api";

export type Winning = { owner: "player" | "house" | "both"; cards: Card[] };

/** The cards that decided a showdown; for equal hands those of both. Null before the end, and after a fold. */
export function winningCards({ outcome, action, playerCards, houseCards, board }: HeadsUpHand): Winning | null {
  if (outcome === null || action === "fold" || houseCards === null) return null;
  // The board first: if it is as good as the own cards, both hands show the same ones.
  const player = bestFive([...board, ...playerCards]);
  const house = bestFive([...board, ...houseCards]);
  if (outcome === "win") return { owner: "player", cards: player };
  if (outcome === "loss") return { owner: "house", cards: house };
  const keys = new Set(player.map(cardKey));
  return { owner: "both", cards: [...player, ...house.filter((card) => !keys.has(cardKey(card)))] };
}
