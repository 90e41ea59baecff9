import { api, idempotencyHeader, unwrap } from "@/api/client";
import type { components } from "@/api/schema";
import { clientSeedChosen } from "@/api/trust/own-client-seed";

type Schemas = components["schemas"];

export type DiceBetType = Schemas["DiceBetType"];
/** The server also accepts amounts as numbers; we send text. */
export type DicePlayRequest = Schemas["DicePlayRequest"] & { betAmount: string };
export type DicePlayResult = Schemas["DicePlayResult"];

export async function playDice(bet: DicePlayRequest, key: string): Promise<DicePlayResult> {
  await clientSeedChosen();
  return unwrap(await api.POST("/api/dice/play", { body: bet, params: idempotencyHeader(key) }));
}
