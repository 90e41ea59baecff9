import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { fetchRoundsInPlay, type LiveRound } from "@/api/live";
import { useSession } from "@/api/session";
import { liveEvents } from "@/lib/live/event-stream";
import { useReturn } from "@/lib/use-return";
import { gameAt, HEADS_UP, type PlayedGame } from "./navigation";

/** A round in play on another screen than the one that is shown. */
export type RunningRound = { game: PlayedGame; name: string; to: string };

const NAMES: readonly RunningRound[] = [
  { game: "crash", name: "Crash", to: "/crash" },
  { game: "stonks", name: "Stonks", to: "/stonks" },
  { game: "poker", name: "Video poker", to: "/poker" },
  { game: "headsUp", name: "Heads-up poker", to: HEADS_UP.to },
];
const NOTHING: ReadonlySet<PlayedGame> = new Set();

type Known = { userId: number | undefined; games: ReadonlySet<PlayedGame> };

const RunningRoundsContext = createContext<readonly RunningRound[]>([]);

/** The rounds in play that this screen does not show. */
export const useRunningRounds = (): readonly RunningRound[] => use(RunningRoundsContext);

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
      const open = await fetchRoundsInPlay();
      if (open.serverTimeMs < heardAt.current) return;
      heardAt.current = open.serverTimeMs;
      setKnown({ userId, games: new Set(NAMES.map(({ game }) => game).filter((game) => open[game] !== null)) });
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
    (game: "crash" | "stonks", round: LiveRound) => {
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
  const isLive = inPlay.has("crash") || inPlay.has("stonks");
  useEffect(() => {
    const stops = [liveEvents.on("crash", (round) => hear("crash", round)), liveEvents.on("stonks", (round) => hear("stonks", round))];
    if (isLive) stops.push(liveEvents.onOpen(() => void load()), liveEvents.acquire());
    return () => {
      for (const stop of stops) stop();
    };
  }, [isLive, hear, load]);

  const elsewhere = useMemo(() => NAMES.filter(({ game }) => inPlay.has(game) && game !== here), [inPlay, here]);
  return <RunningRoundsContext value={elsewhere}>{children}</RunningRoundsContext>;
}
