import type { components, operations } from "@/api/schema";

type Schemas = components["schemas"];

export type PlayerStatistics = Schemas["PlayerStatistics"];
export type ProfitBucket = Schemas["ProfitBucket"];
export type ProfitOverTime = Schemas["ProfitOverTime"];
export type ProfitRange = operations["profit"]["parameters"]["query"]["range"];
export type DailyStatement = Schemas["DailyStatement"];
