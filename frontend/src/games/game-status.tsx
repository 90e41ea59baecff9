import { createContext, type ReactNode, use, useMemo } from "react";
import { usePerScreen } from "@/api/use-per-screen";
import type { GameDefinition, GameStatus } from "./definition";
import { playableIn, statusIn, type Statuses } from "./registry";
import { fetchGameStatuses, type GameStatusEntry } from "./status-api";

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

/** Loads the statuses for each screen. */
export function GameStatusProvider({ screen, children }: GameStatusProviderProps) {
  const { data, hasFailed, refresh } = usePerScreen("games' statuses", fetchGameStatuses, screen);
  const statuses = useMemo<GameStatuses>(
    () => ({ ...(data ? gamesBy(statusesOf(data)) : DEFAULTS), isKnown: data !== undefined || hasFailed, refresh }),
    [data, hasFailed, refresh],
  );
  return <GameStatusContext value={statuses}>{children}</GameStatusContext>;
}
