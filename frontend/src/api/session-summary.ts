import useSWR from "swr";
import { api, unwrap } from "./client";
import type { components } from "./schema";

/**
 * What the player did since signing in, and by how much the house's clock is ahead of this device's, in milliseconds.
 * Asking for it does not count as activity.
 */
export type SessionSummary = components["schemas"]["SessionSummary"] & { aheadMs: number };

export const SUMMARY_KEY = "session-summary";

async function fetchSummary(): Promise<SessionSummary> {
  const { data, response } = await api.GET("/api/session-summary");
  const sentMs = Date.parse(response.headers.get("Date") ?? "");
  return { ...unwrap(data === undefined ? {} : { data }), aheadMs: Number.isNaN(sentMs) ? 0 : sentMs - Date.now() };
}

/** The summary of this session; it is fetched when it is first shown, and when somebody asks for it again. */
export const useSessionSummary = () => useSWR(SUMMARY_KEY, fetchSummary);

/** The house's time, in milliseconds since 1970, as far as this device knows it. */
export const houseTime = ({ aheadMs }: SessionSummary): number => Date.now() + aheadMs;
