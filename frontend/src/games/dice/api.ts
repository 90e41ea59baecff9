import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type DiceBetType = Schemas["DiceBetType"];
/** The server also accepts amounts as numbers; we send text. */
export type DicePlayRequest = Schemas["DicePlayRequest"] & { betAmount: string };
export type DicePlayResult = Schemas["DicePlayResult"];
