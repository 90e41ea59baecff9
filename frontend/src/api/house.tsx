// What the operator has stopped for all players.

import { createContext, type ReactNode, use, useEffect, useMemo } from "react";
import { api, onHouseStop, unwrap } from "./client";
import type { components } from "./schema";
import { usePerScreen } from "./use-per-screen";

export type HouseState = components["schemas"]["HouseState"];
export type House = HouseState & { refresh(): Promise<void> };

const RUNNING: HouseState = { maintenance: null, deposits: null, withdrawals: null, registration: null };
const HouseContext = createContext<House>({ ...RUNNING, refresh: async () => undefined });

/** What is stopped at the moment; nothing until the server has answered. */
export const useHouse = (): House => use(HouseContext);

const fetchHouse = async (): Promise<HouseState> => unwrap(await api.GET("/api/house"));

/** Loads the state for each screen, and when a request was refused because something is stopped. */
export function HouseProvider({ screen, children }: { screen: string; children: ReactNode }) {
  const { data, refresh } = usePerScreen("state of the house", fetchHouse, screen);
  useEffect(() => onHouseStop(() => void refresh()), [refresh]);
  const house = useMemo<House>(() => ({ ...(data ?? RUNNING), refresh }), [data, refresh]);
  return <HouseContext value={house}>{children}</HouseContext>;
}
