import { formatChange, formatDollars } from "@/lib/money";
import { reasonText, type Totals } from "./rules";
import type { RunState } from "./run";

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** "12 rounds, $12.00 staked, profit +$1.20". */
export function totalsText({ rounds, stakedCents, profitCents }: Totals): string {
  const result = profitCents < 0 ? "loss" : "profit";
  return `${counted(rounds, "round")}, ${formatDollars(stakedCents)} staked, ${result} ${formatChange(profitCents)}`;
}

/** Why a run ended, and what it came to. */
export function endText({ stop, totals }: RunState): string {
  return stop === null ? "" : `${reasonText(stop)} ${totalsText(totals)}.`;
}

/** Whether a toast says why a run ended: the player who stopped it knows, and one who left is told elsewhere. */
export const isEndToasted = ({ stop }: RunState): boolean =>
  stop !== null && stop.kind !== "player" && stop.kind !== "left";

/** What a screen reader announces about a run, besides its toast. */
export function spokenText(run: RunState): string {
  if (isEndToasted(run)) return "";
  if (run.phase === "stopped") return `Autobet stopped. ${endText(run)}`;
  if (run.pause !== null) return `Autobet paused: ${run.pause}`;
  return `Autobet is running: ${totalsText(run.totals)}.`;
}
