import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema";

// Rounds in the server's format, for all games.

type Schemas = components["schemas"];

/** The game's name in the history, its filters and the statistics; two games can share one. */
export type GameType = Schemas["GameType"];
export type GameHistoryEntry = Schemas["GameHistoryEntry"];
/** A settled round. Each game reads its own part of it. */
export type SettledRound = Schemas["RoundDetails"];
/** The rounds in play: by game name, the round or null. */
export type OpenRounds = Schemas["OpenRounds"];
/** The server's name of a game: among the open rounds, in events and in a round's details. */
export type GameWireName = {
  [N in keyof SettledRound]: SettledRound[N] extends object | null ? N : never;
}[keyof SettledRound];

export const fetchOpenRounds = async () => unwrap(await api.GET("/api/open-rounds"));
export const fetchSettledRound = async (id: number) =>
  unwrap(await api.GET("/api/rounds/{id}", { params: { path: { id } } }));
