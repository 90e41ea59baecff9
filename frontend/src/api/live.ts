import { api, bodyOf, headerOf } from "./client";
import type { components } from "./schema";

// The calls of the live games. The generated types have every null as something that may also be
// missing; the server writes nulls out, so `Required` says what is really there.

type Schemas = components["schemas"];

export type RoundResult = Schemas["LiveState"];
export type CrashCurve = Schemas["CrashCurve"];
/** What every round of a live game has. */
export type LiveRound = Required<Schemas["LiveResult"]> & { result: RoundResult };
export type CrashRound = Required<Schemas["CrashRound"]>;
export type StonksRound = Required<Schemas["StonksRound"]>;
export type CrashSettings = Required<Schemas["CrashSettings"]>;
export type StonksSettings = Required<Schemas["StonksSettings"]>;
export type OpenRounds = { serverTimeMs: number; crash: CrashRound | null; stonks: StonksRound | null };
/** Which games have a round or a hand in play: null where there is none. */
export type RoundsInPlay = { serverTimeMs: number } & Record<"crash" | "stonks" | "poker" | "headsUp", object | null>;
/** A stonks point, as the stream of events tells it. */
export type PricePoint = { roundId: number; tick: number; multiplier: number; serverTimeMs: number };

export type CrashStart = { betAmount: string; autoCashoutMultiplier: string | null; curve: CrashCurve };
export type CrashCashOut = { betAmount: string; cashoutMultiplier: string; roundId: number };
export type StonksStart = { betAmount: string; autoCashoutProfit: string | null };
export type StonksCashOut = { betAmount: string; cashoutMultiplier: string; autoCashoutProfit: string | null; roundId: number };

/** A settled round; what it tells additionally goes by its game. */
export type LiveRoundDetails = Omit<Schemas["RoundDetails"], "crash" | "stonks"> & {
  crash: Required<Schemas["CrashRoundDetails"]> | null;
  stonks: Required<Schemas["StonksRoundDetails"]> | null;
};

export const fetchCrashSettings = async () => bodyOf<CrashSettings>(await api.GET("/api/crash-settings"));
export const fetchStonksSettings = async () => bodyOf<StonksSettings>(await api.GET("/api/stonks-settings"));
export const fetchOpenRounds = async () => bodyOf<OpenRounds>(await api.GET("/api/open-rounds"));
export const fetchRoundsInPlay = async () => bodyOf<RoundsInPlay>(await api.GET("/api/open-rounds"));
export const fetchRound = async (id: number) => bodyOf<LiveRoundDetails>(await api.GET("/api/rounds/{id}", { params: { path: { id } } }));

async function postCrash(body: Schemas["CrashGameRequest"], key: string): Promise<CrashRound> {
  return bodyOf(await api.POST("/api/crash/game", { body, params: headerOf(key) }));
}
async function postStonks(body: Schemas["StonksGameRequest"], key?: string): Promise<StonksRound> {
  return bodyOf(await api.POST("/api/stonks/game", { body, ...(key === undefined ? {} : { params: headerOf(key) }) }));
}

export const startCrash = (bet: CrashStart, key: string) => postCrash({ action: "start", ...bet }, key);
/** The crash point is the server's secret until the round is over; the call has its field all the same. */
export const cashOutCrash = (claim: CrashCashOut, key: string) => postCrash({ action: "cashout", crashPoint: null, ...claim }, key);
export const startStonks = (bet: StonksStart, key: string) => postStonks({ action: "start", ...bet }, key);
export const cashOutStonks = (claim: StonksCashOut, key: string) => postStonks({ action: "cashout", ...claim }, key);
/** A hint only: the server knows better when a market crashed. */
export const hintStonksCrashed = (hint: { betAmount: string; roundId: number }) => postStonks({ action: "crashed", ...hint });
