import type { components } from "@/api/schema";

export type { LiveRound } from "@/api/live/event-stream";
export type RoundResult = components["schemas"]["LiveState"];
