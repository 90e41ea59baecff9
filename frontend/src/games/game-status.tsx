import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef } from "react";
import useSWR from "swr";
import { useOnVisible } from "@/lib/use-on-visible";
import type { AnnouncedGame, GameDefinition, GameStatus } from "./definition";
import { announcedIn, playableIn, statusIn, type Statuses } from "./registry";
import { fetchGameStatuses, type GameStatusEntry } from "./status-api";

const KEY = "game-statuses";

/** The games as the operator has them at the moment. */
export type GameStatuses = {
  /** Whether the server has answered, or cannot be asked; until then the games are what they are by default. */
  isKnown: boolean;
  /** Those that are open or paused. */
  playable: readonly GameDefinition[];
  /** Those that are only announced. */
  announced: readonly AnnouncedGame[];
  statusOf(game: GameDefinition): GameStatus;
  refresh(): Promise<void>;
};

function gamesBy(statuses: Statuses): Omit<GameStatuses, "isKnown" | "refresh"> {
  return {
    playable: playableIn(statuses),
    announced: announcedIn(statuses),
    statusOf: (game) => statusIn(statuses, game),
  };
}

const statusesOf = (entries: readonly GameStatusEntry[]): Statuses =>
  new Map(entries.map(({ name, status }) => [name, status]));
const DEFAULTS = gamesBy(new Map());
const GameStatusContext = createContext<GameStatuses>({ ...DEFAULTS, isKnown: true, refresh: async () => undefined });

/** Which games are open, paused and announced. */
export const useGameStatuses = (): GameStatuses => use(GameStatusContext);

type GameStatusProviderProps = { /** What is shown: another screen asks anew. */ screen: string; children: ReactNode };

/**
 * Asks for the statuses when a screen is opened or returned to, never on a timer: that would keep the session of
 * somebody who left alive.
 */
export function GameStatusProvider({ screen, children }: GameStatusProviderProps) {
  // They are the same for whoever is signed in: what was known stays while it is asked for again.
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
