import type { GameType } from "@/games/rounds/api";

/** Dates such as "2026-11-22", both inclusive, in UTC. */
export type ExportDates = { from: string; to: string };

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** What is wrong with the dates; null if nothing. */
export function problemOf({ from, to }: ExportDates): string | null {
  if (!isDate(from) || !isDate(to)) return "Choose both dates.";
  return from > to ? "The first day must not be after the last." : null;
}

/** The address of the rounds as CSV. */
export function roundsAddress({ from, to }: ExportDates, gameType: GameType | null): string {
  const query = new URLSearchParams({ ...(gameType === null ? {} : { gameType }), from, to });
  return `/api/exports/rounds.csv?${query}`;
}

/** The address of the ledger as CSV. */
export const ledgerAddress = ({ from, to }: ExportDates): string =>
  `/api/exports/ledger.csv?${new URLSearchParams({ from, to })}`;
