import { api, unwrap, idempotencyHeader } from "@/api/client";
import type { components } from "@/api/schema";
import type { GameStatus } from "./definition";

type Schemas = components["schemas"];

export type GameStatusEntry = Schemas["GameWithStatus"];
export type StatusChange = Schemas["GameStatusChange"];

const STATUSES: readonly string[] = ["open", "paused", "announced"] satisfies GameStatus[];

/** The current status of every game. */
export async function fetchGameStatuses(): Promise<GameStatusEntry[]> {
  const entries = unwrap(await api.GET("/api/games"));
  // A newer server may have statuses that this version does not support.
  return entries.filter(({ status }) => STATUSES.includes(status));
}

/** Opens, pauses or announces a game as an administrator. The response has no new information. */
export const changeGameStatus = (name: string, body: StatusChange, key: string) =>
  api.POST("/api/admin/games/{name}/status", { params: { path: { name }, ...idempotencyHeader(key) }, body });
