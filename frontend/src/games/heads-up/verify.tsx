import { CARDS_DERIVATION, type CardRow, CardTable } from "@/games/cards/card-table";
import type { Verifier } from "@/games/rounds/verification";
import { centsOf } from "@/lib/money";
import { headsUpDetailsOf } from "./api";
import { headsUpTable, type HeadsUpTerms, evaluateHands, publishedHeadsUp, verifyHeadsUp } from "./fairness";

export const verifier: Verifier = {
  published: publishedHeadsUp,
  publishedTerms(round): HeadsUpTerms | null {
    const headsUp = headsUpDetailsOf(round);
    return headsUp && { betCents: centsOf(headsUp.openingBetAmount), action: headsUp.action };
  },

  async verify(round, claim) {
    const headsUp = headsUpDetailsOf(round);
    if (!headsUp) return null;
    const [openingCents, stakedCents] = [centsOf(headsUp.openingBetAmount), centsOf(headsUp.stakedAmount)];
    const { table, evaluation, ...verdict } = await verifyHeadsUp({ ...claim, ...headsUp, openingCents, stakedCents });
    const rows: CardRow[] = [
      { label: `You: ${evaluation.playerHand}`, cards: table.playerCards },
      { label: `House: ${evaluation.houseHand}`, cards: table.houseCards },
      { label: "Board", cards: table.board },
    ];
    return { ...verdict, derivation: CARDS_DERIVATION, evidence: <CardTable rows={rows} /> };
  },

  async compute({ serverSeed, clientSeed, nonce }) {
    const table = await headsUpTable(serverSeed, clientSeed, nonce);
    const { playerHand, houseHand } = evaluateHands(table);
    const rows: CardRow[] = [
      { label: `Heads-up: you, ${playerHand}`, cards: table.playerCards },
      { label: `House, ${houseHand}`, cards: table.houseCards },
      { label: "Board", cards: table.board },
    ];
    return <CardTable rows={rows} />;
  },
};
