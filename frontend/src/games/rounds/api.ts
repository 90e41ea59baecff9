import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema";

// Rounds as the server answers with them, whichever their game is.

type Schemas = components["schemas"];

/** The name that the history, its filters and the statistics have a game under; two games can share one. */
export type GameType = Schemas["GameType"];
export type GameHistoryEntry = Schemas["GameHistoryEntry"];
/** A settled round. What only its own game has is read by that game. */
export type SettledRound = Schemas["RoundDetails"];
/** What is in play: under the name of each game its round, or null where there is none. */
export type OpenRounds = Schemas["OpenRounds"];
/** What the server calls a game: among the open rounds, in events and in a round's details. */
export type GameWireName = {
  [N in keyof SettledRound]: SettledRound[N] extends object | null ? N : never;
}[keyof SettledRound];

export const fetchOpenRounds = async () => unwrap(await api.GET("/api/open-rounds"));
export const fetchSettledRound = async (id: number) =>
  unwrap(await api.GET("/api/rounds/{id}", { params: { path: { id } } }));
