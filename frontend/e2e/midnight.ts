import { setTimeout as sleep } from "node:timers/promises";

const DAY_MS = 24 * 60 * 60_000;
/** Longer than any journey takes. */
const JOURNEY_MS = 120_000;

/** The days since 1970 in UTC, by which the house's books and figures count. */
export const dayNumber = (): number => Math.floor(Date.now() / DAY_MS);

/** How long waiting for the next day may take. */
export const LONGEST_WAIT_MS = JOURNEY_MS + 10_000;

/** Waits for the next day if it is near: what a journey does must be of one day in the house's figures and log. */
export async function waitOutMidnight(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < JOURNEY_MS) await sleep(leftMs);
}
