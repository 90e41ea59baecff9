// Measured returns of games next to the exact ones.

import type { Scale } from "@/lib/plot-scale";

/** A game's measured return with its 95 % confidence interval, and the exact return by the rules. */
export type GameReturn = {
  /** The server's name of the game. */
  game: string;
  /** Its name for people. */
  label: string;
  rounds: number;
  exactRtpPercent: string;
  measuredRtpPercent: string | null;
  lowPercent: string | null;
  highPercent: string | null;
  /** The probability that chance alone moves the measured return at least as far from the exact one. */
  pValue: number | null;
  /** Whether only higher returns count as unusual. */
  isOneSided: boolean;
  /** The way of playing that the exact return holds for. */
  scope: string;
};

/** Returns are plotted within these percentages, so that a few outliers do not flatten the others. */
const BOUNDS = { minimum: 70, maximum: 130 };

/** A scale in whole percent that shows every interval, within the bounds. */
export function returnScale(games: readonly GameReturn[]): Scale {
  const values = games
    .flatMap((game) => [game.exactRtpPercent, game.measuredRtpPercent, game.lowPercent, game.highPercent])
    .filter((value) => value !== null);
  const within = values.map((value) => Math.min(Math.max(Number(value), BOUNDS.minimum), BOUNDS.maximum));
  const [lowest, highest] = [Math.min(...within, 95), Math.max(...within, 101)];
  const step = [1, 2, 5, 10].find((candidate) => (highest - lowest) / candidate <= 7) ?? 10;
  const [first, last] = [Math.floor(lowest / step), Math.ceil(highest / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, position) => (first + position) * step);
  return { minimum: first * step, maximum: last * step, ticks };
}

const IN_A_MILLION = 1e-6;
/** A probability in words: `1 time in 22`. */
export function chanceText(probability: number): string {
  if (probability < IN_A_MILLION) return "less than 1 time in 1,000,000";
  const percent = Math.round(probability * 100);
  return probability > 0.1
    ? `${percent} times in 100`
    : `1 time in ${Math.round(1 / probability).toLocaleString("en-US")}`;
}

/** A p-value to two significant digits: `p = 0.046`. */
export function pValueText(pValue: number): string {
  if (pValue < IN_A_MILLION) return "p < 0.000001";
  // Rounding must not turn what merely is probable into certainty.
  if (pValue > 0.99 && pValue < 1) return "p > 0.99";
  return `p = ${pValue.toLocaleString("en-US", { maximumSignificantDigits: 2 })}`;
}

export type ReturnVerdict = "none" | "within" | "above" | "below";

/** Where the measured return lies relative to the exact one. */
export function verdictOf({
  exactRtpPercent,
  lowPercent,
  highPercent,
}: Pick<GameReturn, "exactRtpPercent" | "lowPercent" | "highPercent">): ReturnVerdict {
  if (lowPercent === null || highPercent === null) return "none";
  if (Number(lowPercent) > Number(exactRtpPercent)) return "above";
  return Number(highPercent) < Number(exactRtpPercent) ? "below" : "within";
}

const VERDICTS: Record<Exclude<ReturnVerdict, "none">, string> = {
  within: "In line with the exact RTP",
  above: "Above the exact RTP",
  below: "Below the exact RTP",
};

/** What the measured return says about the game. */
export function verdictText(game: GameReturn): string {
  const verdict = verdictOf(game);
  if (verdict === "none" || game.pValue === null) return "Too few rounds to measure";
  if (game.isOneSided && verdict === "below")
    return "Below the RTP of the best play, as expected when players make mistakes";
  return `${VERDICTS[verdict]}: chance alone ${game.isOneSided ? "returns as much" : "strays as far"} ${chanceText(game.pValue)} (${pValueText(game.pValue)})`;
}

/** The exact return; four decimals are enough for display. */
export function exactText({ exactRtpPercent, scope }: GameReturn): string {
  const [whole = "", decimals = ""] = exactRtpPercent.split(".");
  return `${whole}.${decimals.slice(0, 4)}%${scope === "" ? "" : ` ${scope}`}`;
}
