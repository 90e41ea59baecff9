import { api, unwrap, idempotencyHeader } from "@/api/client";
import { clientSeedChosen } from "@/api/trust/own-client-seed";
import type { components } from "@/api/schema";
import type { OpenRounds, SettledRound } from "@/games/rounds/api";

type Schemas = components["schemas"];

export type MinesRound = Schemas["MinesRound"];
export type MinesRoundDetails = Schemas["MinesRoundDetails"];
type MinesRequest = Schemas["MinesGameRequest"];

export type MinesStart = { betAmount: string; mines: number };
export type MinesReveal = { roundId: number; cell: number };
export type MinesCashOut = { roundId: number };

const post = async (body: MinesRequest, key: string) =>
  unwrap(await api.POST("/api/mines/game", { body, params: idempotencyHeader(key) }));

export const fetchMinesSettings = async () => unwrap(await api.GET("/api/mines-settings"));
export async function startMines(bet: MinesStart, key: string): Promise<MinesRound> {
  await clientSeedChosen();
  return post({ action: "start", ...bet }, key);
}
export const revealCell = (reveal: MinesReveal, key: string) => post({ action: "reveal", ...reveal }, key);
export const cashOutMines = (cashOut: MinesCashOut, key: string) => post({ action: "cash_out", ...cashOut }, key);

/** The round in play; null if there is none. */
export const openMinesOf = ({ mines }: OpenRounds) => mines;
/** The mines part of a settled round; null for another game. */
export const minesDetailsOf = ({ mines }: SettledRound) => mines;
