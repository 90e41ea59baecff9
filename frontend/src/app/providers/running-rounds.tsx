import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { useSession } from "@/api/session";
import type { GameDefinition } from "@/games/definition";
import { GAMES, TIMED_GAMES } from "@/games/registry";
import { fetchOpenRounds, type GameWireName } from "@/games/rounds/api";
import type { LiveRound } from "@/games/timed/api";
import { liveEvents } from "@/games/timed/event-stream";
import { useOnVisible } from "@/lib/use-on-visible";
import { gameAt } from "../navigation";

/** The games that can be in play while another screen is shown. */
const BACKGROUND_GAMES: readonly GameDefinition[] = GAMES.filter(({ kind }) => kind !== "instant");
const NO_GAMES: ReadonlySet<GameDefinition> = new Set();

type Known = { userId: number | undefined; games: ReadonlySet<GameDefinition> };

export type RunningRounds = {
  /** Whether the server has answered or could not be reached. */
  isKnown: boolean;
  games: ReadonlySet<GameDefinition>;
  /** Those that the current screen does not show. */
  elsewhere: readonly GameDefinition[];
};
const RunningRoundsContext = createContext<RunningRounds>({ isKnown: true, games: NO_GAMES, elsewhere: [] });

/** The games with a round in play. */
export const useGamesInPlay = (): RunningRounds => use(RunningRoundsContext);
/** The games with a round in play that the current screen does not show. */
export const useRunningRounds = (): readonly GameDefinition[] => useGamesInPlay().elsewhere;

/**
 * Tracks which rounds are in play. They are fetched when a screen is opened or becomes visible again, never by a timer,
 * which would keep the session of an absent user alive. The end of a live round arrives on the event stream, which
 * stays open until then.
 */
export function RunningRoundsProvider({ children }: { children: ReactNode }) {
  const { user, updateBalance } = useSession();
  const where = useLocation();
  const here = gameAt(where);
  const screen = `${where.pathname}${where.hash}`;
  const [known, setKnown] = useState<Known>({ userId: undefined, games: NO_GAMES });
  /** The server time of the latest update: earlier responses are out of date. */
  const lastUpdateMs = useRef(0);
  const lastFetchKey = useRef("");
  const userId = user?.id;
  // Never show one user's rounds to another.
  const isKnown = known.userId === userId;
  const inPlay = isKnown ? known.games : NO_GAMES;

  const load = useCallback(async () => {
    if (userId === undefined) return;
    try {
      const open = await fetchOpenRounds();
      if (open.serverTimeMs < lastUpdateMs.current) return;
      lastUpdateMs.current = open.serverTimeMs;
      const rounds: Readonly<Partial<Record<GameWireName, object | null>>> = open;
      setKnown({ userId, games: new Set(BACKGROUND_GAMES.filter(({ wire }) => rounds[wire.name] != null)) });
    } catch (error) {
      console.warn("The rounds in play could not be loaded", error);
      setKnown((before) => (before.userId === userId ? before : { userId, games: NO_GAMES }));
    }
  }, [userId]);
  useEffect(() => {
    const fetchKey = `${userId}:${screen}`;
    if (lastFetchKey.current === fetchKey) return;
    lastFetchKey.current = fetchKey;
    void load();
  }, [userId, screen, load]);
  useOnVisible(() => void load());

  const onLiveRound = useCallback(
    (game: GameDefinition, round: LiveRound) => {
      if (round.serverTimeMs < lastUpdateMs.current) return;
      lastUpdateMs.current = round.serverTimeMs;
      updateBalance(round);
      setKnown(({ games, ...rest }) => {
        const next = new Set(games);
        if (round.result === "playing") next.add(game);
        else next.delete(game);
        return { ...rest, games: next };
      });
    },
    [updateBalance],
  );
  const isLive = TIMED_GAMES.some((game) => inPlay.has(game));
  useEffect(() => {
    const stops = TIMED_GAMES.map((game) =>
      liveEvents.on<LiveRound>(game.wire.name, (round) => onLiveRound(game, round)),
    );
    if (isLive)
      stops.push(
        liveEvents.onOpen(() => void load()),
        liveEvents.acquire(),
      );
    return () => {
      for (const stop of stops) stop();
    };
  }, [isLive, onLiveRound, load]);

  const rounds = useMemo<RunningRounds>(
    () => ({ isKnown, games: inPlay, elsewhere: BACKGROUND_GAMES.filter((game) => inPlay.has(game) && game !== here) }),
    [isKnown, inPlay, here],
  );
  return <RunningRoundsContext value={rounds}>{children}</RunningRoundsContext>;
}
