import type { Verifier } from "@/games/rounds/verification";
import { crashDetailsOf } from "./api";
import { crashPoint, type CrashTerms, publishedCrash, verifyCrash } from "./fairness";

const hundredthsOf = (multiplier: number | null): number | null =>
  multiplier === null ? null : Math.round(multiplier * 100);

export const verifier: Verifier = {
  published: publishedCrash,
  publishedTerms(round): CrashTerms | null {
    const crash = crashDetailsOf(round);
    return (
      crash && {
        curve: crash.curve,
        autoCashoutHundredths: hundredthsOf(crash.autoCashoutMultiplier),
        cashoutHundredths: hundredthsOf(crash.cashoutMultiplier),
      }
    );
  },

  async verify(round, claim) {
    const crash = crashDetailsOf(round);
    if (!crash) return null;
    const { point, ...verdict } = await verifyCrash({
      ...claim,
      autoHundredths: hundredthsOf(crash.autoCashoutMultiplier),
      crashHundredths: hundredthsOf(crash.crashPoint) ?? 0,
      cashoutHundredths: hundredthsOf(crash.cashoutMultiplier),
    });
    const instant = point.isInstant ? " Below 1.00 it crashes instantly." : "";
    return {
      ...verdict,
      derivation: `begins with the word ${point.word}; 99 times 2³² divided by it, rounded down, are the hundredths, at most 100.00.${instant}`,
    };
  },

  async compute({ serverSeed, clientSeed, nonce }) {
    const { hundredths, isInstant } = await crashPoint(serverSeed, clientSeed, nonce);
    return (
      <p>
        Crash point: <strong>{(hundredths / 100).toFixed(2)}×</strong>
        {isInstant && " (instantly)"}
      </p>
    );
  },
};
