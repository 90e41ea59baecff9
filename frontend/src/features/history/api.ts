import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type PlayerStatistics = Schemas["PlayerStatistics"];
export type GameStatistics = Schemas["GameStatistics"];
