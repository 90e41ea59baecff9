import type { components } from "./schema";

type Schemas = components["schemas"];

export type CurrentUser = Schemas["CurrentUser"];
export type DiceSettings = Schemas["DiceSettings"];
/** The server takes amounts as numbers, too; we send them as text. */
export type DicePlayRequest = Schemas["DicePlayRequest"] & { betAmount: string };
export type DicePlayResult = Schemas["DicePlayResult"];
export type DiceBetType = Schemas["DiceBetType"];
export type GameHistoryEntry = Schemas["GameHistoryEntry"];
export type GameType = Schemas["GameType"];
export type PlayerStatistics = Schemas["PlayerStatistics"];
export type GameStatistics = Schemas["GameStatistics"];
export type FairnessState = Schemas["FairnessState"];
export type FairnessRotation = Schemas["FairnessRotation"];
export type RoundDetails = Schemas["RoundDetails"];
export type Cryptocurrency = Schemas["Cryptocurrency"];
