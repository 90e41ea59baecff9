import type { Verifier } from "@/games/rounds/verification";
import { diceRoll, type DiceTerms, publishedDice, verifyDice } from "./fairness";

export const verifier: Verifier = {
  published: publishedDice,
  publishedTerms: ({ dice }): DiceTerms | null => dice && { target: dice.targetNumber, side: dice.betType },

  async verify({ dice }, claim) {
    if (!dice) return null;
    const { word, ...verdict } = await verifyDice({
      ...claim,
      target: dice.targetNumber,
      side: dice.betType,
      roll: dice.diceResult,
    });
    return { ...verdict, derivation: `begins with the word ${word}; times 100, divided by 2³², rounded down, plus 1.` };
  },

  async compute({ serverSeed, clientSeed, nonce }) {
    const { roll } = await diceRoll(serverSeed, clientSeed, nonce);
    return (
      <p>
        Dice roll: <strong>{roll}</strong>
      </p>
    );
  },
};
