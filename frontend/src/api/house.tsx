// What the operator has stopped for all players.

import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef } from "react";
import useSWR from "swr";
import { useOnVisible } from "@/lib/use-on-visible";
import { api, onHouseStop, unwrap } from "./client";
import type { components } from "./schema";

export type HouseState = components["schemas"]["HouseState"];
export type House = HouseState & { refresh(): Promise<void> };

const KEY = "house";
const RUNNING: HouseState = { maintenance: null, deposits: null, withdrawals: null, registration: null };
const HouseContext = createContext<House>({ ...RUNNING, refresh: async () => undefined });

/** What is stopped at the moment; nothing until the server has answered. */
export const useHouse = (): House => use(HouseContext);

const fetchHouse = async (): Promise<HouseState> => unwrap(await api.GET("/api/house"));

/**
 * Loads the state when a screen is opened or becomes visible again, and when a request was refused because something is
 * stopped; never by a timer, which would keep the session of an absent user alive.
 */
export function HouseProvider({ screen, children }: { screen: string; children: ReactNode }) {
  const { data, error, mutate } = useSWR(KEY, fetchHouse, { keepPreviousData: true });
  useEffect(() => {
    if (error !== undefined) console.warn("The state of the house could not be loaded", error);
  }, [error]);
  const refresh = useCallback(async () => void (await mutate()), [mutate]);
  useOnVisible(() => void refresh());
  useEffect(() => onHouseStop(() => void refresh()), [refresh]);
  const shownScreen = useRef(screen);
  useEffect(() => {
    if (shownScreen.current === screen) return;
    shownScreen.current = screen;
    void refresh();
  }, [screen, refresh]);
  const house = useMemo<House>(() => ({ ...(data ?? RUNNING), refresh }), [data, refresh]);
  return <HouseContext value={house}>{children}</HouseContext>;
}
