/** A multiplier in hundredths that crash points are compared with. */
export const MARKS_HUNDREDTHS = [150, 200, 300, 500, 1000, 10_000] as const;

/** 150 → "1.50", the server's format. */
export const markText = (hundredths: number): string => (hundredths / 100).toFixed(2);

/**
 * The percentage of rounds whose crash point is at least this multiplier: 99 divided by it. It is a short decimal
 * fraction for every mark, and differs from the share of the words by less than 2⁻³².
 */
export const reachPercent = (hundredths: number): string => String(9900 / hundredths);

/** How high the bar of a crash point is, from 0 to 1: each doubling adds the same height, from 1.00 to 100.00. */
export const barHeight = (hundredths: number): number => Math.log(hundredths / 100) / Math.log(100);
