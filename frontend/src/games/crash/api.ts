import { api, unwrap, idempotencyHeader } from "@/api/client";
import { clientSeedChosen } from "@/api/trust/own-client-seed";
import type { components } from "@/api/schema";
import type { SettledRound } from "@/games/rounds/api";

type Schemas = components["schemas"];

export type CrashCurve = Schemas["CrashCurve"];
export type CrashRound = Schemas["CrashRound"];
export type CrashSettings = Schemas["CrashSettings"];
export type CrashStart = { betAmount: string; autoCashoutMultiplier: string | null; curve: CrashCurve };
export type CrashCashOut = { betAmount: string; cashoutMultiplier: string; roundId: number };
export type CrashRoundDetails = Schemas["CrashRoundDetails"];

/** The crash part of a settled round; null for another game. */
export const crashDetailsOf = ({ crash }: SettledRound) => crash;

export const fetchCrashSettings = async () => unwrap(await api.GET("/api/crash-settings"));

async function postCrash(body: Schemas["CrashGameRequest"], key: string): Promise<CrashRound> {
  return unwrap(await api.POST("/api/crash/game", { body, params: idempotencyHeader(key) }));
}
export async function startCrash(bet: CrashStart, key: string): Promise<CrashRound> {
  await clientSeedChosen();
  return postCrash({ action: "start", ...bet }, key);
}
/** The crash point is secret until the round is over, but the request has its field all the same. */
export const cashOutCrash = (claim: CrashCashOut, key: string) =>
  postCrash({ action: "cashout", crashPoint: null, ...claim }, key);
