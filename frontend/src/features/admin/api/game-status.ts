import { changeGameStatus, type StatusChange } from "@/games/status-api";
import { watchAccess } from "./admin";

/** Opens, pauses or announces a game; the server writes it into the audit log. */
export async function setGameStatus(name: string, change: StatusChange, key: string): Promise<void> {
  await watchAccess(changeGameStatus(name, change, key));
}
