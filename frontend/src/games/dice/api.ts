import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type DiceBetType = Schemas["DiceBetType"];
/** The server takes amounts as numbers, too; we send them as text. */
export type DicePlayRequest = Schemas["DicePlayRequest"] & { betAmount: string };
export type DicePlayResult = Schemas["DicePlayResult"];
