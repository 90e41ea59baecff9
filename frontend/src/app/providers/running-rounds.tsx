import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { useSession } from "@/api/session";
import type { GameDefinition } from "@/games/definition";
import { GAMES, TIMED_GAMES } from "@/games/registry";
import { fetchOpenRounds, type GameWireName } from "@/games/rounds/api";
import type { LiveRound } from "@/games/timed/api";
import { liveEvents } from "@/games/timed/event-stream";
import { useReturn } from "@/lib/use-return";
import { gameAt } from "../navigation";

/** The games that can be in play while another screen is shown. */
const LASTING: readonly GameDefinition[] = GAMES.filter(({ kind }) => kind !== "instant");
const NOTHING: ReadonlySet<GameDefinition> = new Set();

type Known = { userId: number | undefined; games: ReadonlySet<GameDefinition> };

const RunningRoundsContext = createContext<readonly GameDefinition[]>([]);

/** The games that have a round in play which this screen does not show. */
export const useRunningRounds = (): readonly GameDefinition[] => use(RunningRoundsContext);

/**
 * Knows which rounds are in play. They are asked for when a screen is opened or returned to, never on a timer: that
 * would keep the session of somebody who left alive. The end of a live round is told by the stream of events, which
 * stays open until then.
 */
export function RunningRoundsProvider({ children }: { children: ReactNode }) {
  const { user, updateBalance } = useSession();
  const where = useLocation();
  const here = gameAt(where);
  const screen = `${where.pathname}${where.hash}`;
  const [known, setKnown] = useState<Known>({ userId: undefined, games: NOTHING });
  /** The server's time of the newest that was heard: an answer from before it is out of date. */
  const heardAt = useRef(0);
  const askedFor = useRef("");
  const userId = user?.id;
  // Nobody is shown what somebody else has in play.
  const inPlay = known.userId === userId ? known.games : NOTHING;

  const load = useCallback(async () => {
    if (userId === undefined) return;
    try {
      const open = await fetchOpenRounds();
      if (open.serverTimeMs < heardAt.current) return;
      heardAt.current = open.serverTimeMs;
      const rounds: Readonly<Partial<Record<GameWireName, object | null>>> = open;
      setKnown({ userId, games: new Set(LASTING.filter(({ wire }) => rounds[wire.name] != null)) });
    } catch (error) {
      console.warn("The rounds in play could not be loaded", error);
    }
  }, [userId]);
  useEffect(() => {
    const wanted = `${userId}:${screen}`;
    if (askedFor.current === wanted) return;
    askedFor.current = wanted;
    void load();
  }, [userId, screen, load]);
  useReturn(() => void load());

  const hear = useCallback(
    (game: GameDefinition, round: LiveRound) => {
      if (round.serverTimeMs < heardAt.current) return;
      heardAt.current = round.serverTimeMs;
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
    const stops = TIMED_GAMES.map((game) => liveEvents.on<LiveRound>(game.wire.name, (round) => hear(game, round)));
    if (isLive) stops.push(liveEvents.onOpen(() => void load()), liveEvents.acquire());
    return () => {
      for (const stop of stops) stop();
    };
  }, [isLive, hear, load]);

  const elsewhere = useMemo(() => LASTING.filter((game) => inPlay.has(game) && game !== here), [inPlay, here]);
  return <RunningRoundsContext value={elsewhere}>{children}</RunningRoundsContext>;
}
