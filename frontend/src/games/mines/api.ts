import { api, bodyOf, headerOf } from "@/api/client";
import type { components } from "@/api/schema";
import type { GameHistoryEntry, GameType, OpenRounds, SettledRound } from "@/games/rounds/api";

// The OpenAPI document does not have this game yet: its types, and every cast that they need, stand
// here until it has, and nowhere else.

type Schemas = components["schemas"];

export const MINES_TYPE = "mines" as GameType;
export const MINES_REPORT_NAME = "mines" as Schemas["HouseGameName"];

export type MinesSettings = { betAmount: string; minBet: string; maxBet: string; mines: number; maxPayout: string };
export type MinesRound = {
  roundId: number;
  nonce: number;
  result: Schemas["LiveState"];
  betAmount: string;
  /** How many there are. */
  mines: number;
  /** Cells from 0 to 24, in the order in which they were revealed. */
  revealed: number[];
  /** What a cash-out pays now; null before the first safe cell. */
  multiplier: number | null;
  /** After one more safe cell; null once the round is over. */
  nextMultiplier: number | null;
  /** What a cash-out would pay now, or what was paid. */
  payout: string;
  /** All of them once the round is over. */
  minePositions: number[] | null;
  /** The mine that ended the round. */
  hitCell: number | null;
  winAmount: string;
  newBalance: string;
  availableToWithdraw: string;
};
/** What a settled round has of mines. */
export type MinesRoundDetails = { mines: number; revealed: number[]; minePositions: number[]; multiplier: number | null; hitCell: number | null };
/** What a record of the history has of mines. */
export type MinesRecord = { mines?: number | null; revealedCells?: number | null };

export type MinesStart = { betAmount: string; mines: number };
export type MinesReveal = { roundId: number; cell: number };
export type MinesCashOut = { roundId: number };
type MinesRequest = ({ action: "start" } & MinesStart) | ({ action: "reveal" } & MinesReveal) | ({ action: "cash_out" } & MinesCashOut);

type Answer = { data?: unknown };
const calls = api as unknown as {
  GET(path: string): Promise<Answer>;
  POST(path: string, init: { body: MinesRequest; params: object }): Promise<Answer>;
};
const post = async (body: MinesRequest, key: string) => bodyOf<MinesRound>(await calls.POST("/api/mines/game", { body, params: headerOf(key) }));

export const fetchMinesSettings = async () => bodyOf<MinesSettings>(await calls.GET("/api/mines-settings"));
export const startMines = (bet: MinesStart, key: string) => post({ action: "start", ...bet }, key);
export const revealCell = (reveal: MinesReveal, key: string) => post({ action: "reveal", ...reveal }, key);
export const cashOutMines = (cashOut: MinesCashOut, key: string) => post({ action: "cash_out", ...cashOut }, key);

/** The round in play; null where there is none. */
export const openMinesOf = ({ mines }: OpenRounds) => (mines ?? null) as MinesRound | null;
/** What a settled round has of mines; null where it is of another game. */
export const minesDetailsOf = (round: SettledRound) => (round as { mines?: MinesRoundDetails | null }).mines ?? null;
export const minesRecordOf = (entry: object): MinesRecord => entry;
/** The fields of a record that its type does not know. */
export const asRecordFields = (fields: MinesRecord) => fields as Partial<GameHistoryEntry>;
