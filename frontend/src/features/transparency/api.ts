import { useQuery } from "@/api/hooks";
import type { components } from "@/api/schema";

/** The public log, and what the games have returned. */
export type Overview = components["schemas"]["Transparency"];
export type LogLine = components["schemas"]["LogLine"];

export const useOverview = () => useQuery("/api/transparency");
