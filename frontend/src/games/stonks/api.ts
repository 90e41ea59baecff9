import { api, unwrap, idempotencyHeader } from "@/api/client";
import { clientSeedChosen } from "@/api/trust/own-client-seed";
import type { components } from "@/api/schema";
import type { SettledRound } from "@/games/rounds/api";

type Schemas = components["schemas"];

export type StonksRound = Schemas["StonksRound"];
export type StonksSettings = Schemas["StonksSettings"];
/** A point of the market, as sent by the event stream. */
export type PricePoint = Schemas["PriceEvent"];
export type StonksStart = { betAmount: string; autoCashoutProfit: string | null };
export type StonksCashOut = {
  betAmount: string;
  cashoutMultiplier: string;
  autoCashoutProfit: string | null;
  roundId: number;
};
export type StonksRoundDetails = Schemas["StonksRoundDetails"];

/** The stonks part of a settled round; null for another game. */
export const stonksDetailsOf = ({ stonks }: SettledRound) => stonks;

export const fetchStonksSettings = async () => unwrap(await api.GET("/api/stonks-settings"));

async function postStonks(body: Schemas["StonksGameRequest"], key?: string): Promise<StonksRound> {
  return unwrap(
    await api.POST("/api/stonks/game", { body, ...(key === undefined ? {} : { params: idempotencyHeader(key) }) }),
  );
}
export async function startStonks(bet: StonksStart, key: string): Promise<StonksRound> {
  await clientSeedChosen();
  return postStonks({ action: "start", ...bet }, key);
}
export const cashOutStonks = (claim: StonksCashOut, key: string) => postStonks({ action: "cashout", ...claim }, key);
/** Only a hint: the server decides when a market has crashed. */
export const reportStonksCrash = (hint: { betAmount: string; roundId: number }) =>
  postStonks({ action: "crashed", ...hint });
