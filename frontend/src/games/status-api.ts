import { api, unwrap, idempotencyHeader } from "@/api/client";
import type { components } from "@/api/schema";
import type { GameStatus } from "./definition";

type Schemas = components["schemas"];

export type GameStatusEntry = Schemas["GameWithStatus"];
export type StatusChange = Schemas["GameStatusChange"];

const STATUSES: readonly string[] = ["open", "paused", "announced"] satisfies GameStatus[];

/** What every game is at the moment. */
export async function fetchGameStatuses(): Promise<GameStatusEntry[]> {
  const entries = unwrap(await api.GET("/api/games"));
  // A status of a newer server is none that this version could act on.
  return entries.filter(({ status }) => STATUSES.includes(status));
}

/** An administrator opens, pauses or announces a game. The answer has no more than is known already. */
export const changeGameStatus = (name: string, body: StatusChange, key: string) =>
  api.POST("/api/admin/games/{name}/status", { params: { path: { name }, ...idempotencyHeader(key) }, body });
