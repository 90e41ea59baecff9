import type { Verifier } from "@/games/rounds/verification";
import { centsOf } from "@/lib/money";
import { stonksDetailsOf } from "./api";
import { publishedStonks, stonksPath, type StonksTerms, verifyStonks } from "./fairness";
import { MarketPath } from "./market-path";

const thousandthsOf = (multiplier: number): number => Math.round(multiplier * 1000);

const targetCentsOf = (amount: string | null): number | null => (amount === null ? null : centsOf(amount));

export const verifier: Verifier = {
  published: publishedStonks,
  publishedTerms(round): StonksTerms | null {
    const stonks = stonksDetailsOf(round);
    return stonks && { autoSellCents: targetCentsOf(stonks.autoCashoutProfit), soldAtTick: stonks.soldAtTick };
  },

  async verify(round, claim) {
    const stonks = stonksDetailsOf(round);
    if (!stonks) return null;
    const { autoCashoutProfit, points, soldAtTick, cashoutMultiplier } = stonks;
    const { path, ...verdict } = await verifyStonks({
      ...claim,
      targetCents: targetCentsOf(autoCashoutProfit),
      path: points.map(thousandthsOf),
      soldAtTick,
      cashoutThousandths: cashoutMultiplier === null ? null : thousandthsOf(cashoutMultiplier),
    });
    return {
      ...verdict,
      derivation: "and of the numbers after 0 gives the words of the market, two for each tick.",
      evidence: <MarketPath points={path} soldAtTick={soldAtTick} />,
    };
  },

  async compute({ serverSeed, clientSeed, nonce }) {
    const path = await stonksPath(serverSeed, clientSeed, nonce);
    return (
      <>
        <p>Stonks:</p>
        <MarketPath points={path} soldAtTick={null} />
      </>
    );
  },
};
