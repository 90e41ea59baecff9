import { eased, scattered, turnOf } from "@/components/preview";

/** The example bets on numbers over this one. */
export const TARGET = 50;
const ROLL_MS = 1500;
const GLIDE_MS = 450;
/** How many past rolls stay on the track. */
const PAST_ROLLS = 32;
/** Numbers this close share a column. */
const COLUMN_NUMBERS = 5;

const rollAt = (turn: number): number => 1 + Math.floor(scattered(turn) * 100);

export type PastRoll = {
  roll: number;
  row: number;
  isWin: boolean;
  /** 1 for the newest, towards 0 for the oldest. */ strength: number;
};

/** The marker's position from 0 to 100, and the rolls before: those of a column stand on each other. */
export function trackAt(sceneMs: number): { marker: number; past: readonly PastRoll[] } {
  const { turn, ms } = turnOf(sceneMs, ROLL_MS);
  const from = rollAt(turn - 1);
  const marker = from + (rollAt(turn) - from) * eased(ms, 0, GLIDE_MS);
  const isSettled = ms >= GLIDE_MS;
  const newest = isSettled ? turn : turn - 1;
  const heights = new Map<number, number>();
  const past: PastRoll[] = [];
  for (let index = newest - PAST_ROLLS + 1; index <= newest; index += 1) {
    const roll = rollAt(index);
    const column = Math.floor((roll - 1) / COLUMN_NUMBERS);
    const row = heights.get(column) ?? 0;
    heights.set(column, row + 1);
    past.push({ roll, row, isWin: roll > TARGET, strength: 1 - (newest - index) / PAST_ROLLS });
  }
  return { marker, past };
}

/** The middle of a roll's column, from 0 to 100. */
export const columnOf = (roll: number): number => (Math.floor((roll - 1) / COLUMN_NUMBERS) + 0.5) * COLUMN_NUMBERS;
