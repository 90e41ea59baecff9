import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef } from "react";
import useSWR from "swr";
import { useOnVisible } from "@/lib/use-on-visible";
import type { GameDefinition, GameStatus } from "./definition";
import { playableIn, statusIn, type Statuses } from "./registry";
import { fetchGameStatuses, type GameStatusEntry } from "./status-api";

const KEY = "game-statuses";

/** The games with their current statuses. */
export type GameStatuses = {
  /** Whether the server has answered or is unreachable; until then the default statuses apply. */
  isKnown: boolean;
  /** Open and paused games. */
  playable: readonly GameDefinition[];
  statusOf(game: GameDefinition): GameStatus;
  refresh(): Promise<void>;
};

function gamesBy(statuses: Statuses): Omit<GameStatuses, "isKnown" | "refresh"> {
  return {
    playable: playableIn(statuses),
    statusOf: (game) => statusIn(statuses, game),
  };
}

const statusesOf = (entries: readonly GameStatusEntry[]): Statuses =>
  new Map(entries.map(({ name, status }) => [name, status]));
const DEFAULTS = gamesBy(new Map());
const GameStatusContext = createContext<GameStatuses>({ ...DEFAULTS, isKnown: true, refresh: async () => undefined });

/** The games' current statuses. */
export const useGameStatuses = (): GameStatuses => use(GameStatusContext);

type GameStatusProviderProps = {
  /** The current screen; another one reloads the statuses. */ screen: string;
  children: ReactNode;
};

/**
 * Loads the statuses when a screen is opened or becomes visible again, never by a timer, which would keep the session
 * of an absent user alive.
 */
export function GameStatusProvider({ screen, children }: GameStatusProviderProps) {
  // The statuses are the same for every user, so the previous ones stay while they are reloaded.
  const { data, error, mutate } = useSWR(KEY, fetchGameStatuses, { keepPreviousData: true });
  const hasFailed = error !== undefined;
  useEffect(() => {
    if (hasFailed) console.warn("The games' statuses could not be loaded", error);
  }, [hasFailed, error]);
  const refresh = useCallback(async () => void (await mutate()), [mutate]);
  useOnVisible(() => void refresh());
  const shownScreen = useRef(screen);
  useEffect(() => {
    if (shownScreen.current === screen) return;
    shownScreen.current = screen;
    void refresh();
  }, [screen, refresh]);
  const statuses = useMemo<GameStatuses>(
    () => ({ ...(data ? gamesBy(statusesOf(data)) : DEFAULTS), isKnown: data !== undefined || hasFailed, refresh }),
    [data, hasFailed, refresh],
  );
  return <GameStatusContext value={statuses}>{children}</GameStatusContext>;
}
