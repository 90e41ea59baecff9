import { CARDS_DERIVATION, type CardRow, CardTable } from "@/games/cards/card-table";
import type { Verifier } from "@/games/rounds/verification";
import { pokerDetailsOf } from "./api";
import { publishedVideoPoker, verifyVideoPoker, videoPokerCards, type VideoPokerTerms } from "./fairness";

export const verifier: Verifier = {
  published: publishedVideoPoker,
  publishedTerms(round): VideoPokerTerms | null {
    const poker = pokerDetailsOf(round);
    return poker && { held: poker.heldIndexes.toSorted((one, other) => one - other) };
  },

  async verify(round, claim) {
    const poker = pokerDetailsOf(round);
    if (!poker) return null;
    const { drawn, hand, ...verdict } = await verifyVideoPoker({ ...claim, ...poker });
    const rows: CardRow[] = [
      { label: "Dealt", cards: drawn.slice(0, 5), held: poker.heldIndexes },
      { label: "After the draw", cards: hand },
      { label: "The five replacement cards", cards: drawn.slice(5) },
    ];
    return { ...verdict, derivation: CARDS_DERIVATION, evidence: <CardTable rows={rows} /> };
  },

  async compute({ serverSeed, clientSeed, nonce }) {
    const cards = await videoPokerCards(serverSeed, clientSeed, nonce);
    const rows: CardRow[] = [
      { label: "Video poker: dealt", cards: cards.slice(0, 5) },
      { label: "Replacements, in order", cards: cards.slice(5) },
    ];
    return <CardTable rows={rows} />;
  },
};
