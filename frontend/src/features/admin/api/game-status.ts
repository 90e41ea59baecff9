import { changeGameStatus, type StatusChange } from "@/games/status-api";
import { watchAccess } from "./admin";

/** Opens, pauses or announces a game, which the audit log records. */
export async function setGameStatus(name: string, change: StatusChange, key: string): Promise<void> {
  await watchAccess(changeGameStatus(name, change, key));
}
