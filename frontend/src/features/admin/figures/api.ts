// The house's figures.

import { api } from "@/api/client";
import type { components } from "@/api/schema";
import { adminCall } from "../api/admin";

type Schemas = components["schemas"];

export type Figures = Schemas["AdminFigures"];
export type DayFigures = Schemas["FiguresOfDay"];
export type HouseFlows = Schemas["HouseFlows"];
export type BalanceAtProvider = Schemas["BalanceAtProvider"];
export type ProviderCoin = Schemas["ProviderCoin"];

/** Which days: a number of them up to today, or from one to another. All days are in UTC. */
export type DaysQuery = { days: number } | { from: string; to: string };

export const fetchFigures = (query: DaysQuery) => adminCall(api.GET("/api/admin/figures", { params: { query } }));
export const fetchProviderBalance = () => adminCall(api.GET("/api/admin/provider-balance"));

/** The days as a query string, for the export. */
export const daysQueryText = (query: DaysQuery): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
