import { api, bodyOf, headerOf } from "@/api/client";
import type { GameStatus } from "./definition";

// The OpenAPI document does not have these calls yet: their types stand here until it has, and nowhere else.

export type GameStatusEntry = { name: string; status: GameStatus };
export type StatusChange = { status: GameStatus; reason: string };

type Answer = { data?: unknown; response: Response };
const calls = api as unknown as {
  GET(path: string): Promise<Answer>;
  POST(path: string, init: { params: object; body: object }): Promise<Answer>;
};

const STATUSES: readonly string[] = ["open", "paused", "announced"] satisfies GameStatus[];

/** What every game is at the moment. */
export async function fetchGameStatuses(): Promise<GameStatusEntry[]> {
  const entries = bodyOf<GameStatusEntry[]>(await calls.GET("/api/games"));
  // A status of a newer server is none that this version could act on.
  return entries.filter(({ status }) => STATUSES.includes(status));
}

/** An administrator opens, pauses or announces a game. The answer has no more than is known already. */
export const changeGameStatus = (name: string, body: StatusChange, key: string) =>
  calls.POST("/api/admin/games/{name}/status", { params: { path: { name }, ...headerOf(key) }, body });
