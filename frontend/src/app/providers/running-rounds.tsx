import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useLocation } from "@/lib/address";
import { useSession } from "@/api/session";
import type { GameDefinition } from "@/games/definition";
import { GAMES, TIMED_GAMES } from "@/games/registry";
import { fetchOpenRounds, type GameWireName, type OpenRounds } from "@/games/rounds/api";
import type { LiveRound } from "@/games/timed/api";
import { liveEvents } from "@/api/live/event-stream";
import { serverClock } from "@/api/live/server-clock";
import { useOnVisible } from "@/lib/use-on-visible";
import { gameAt } from "../navigation";

/** The games that can be in play while another screen is shown. */
const BACKGROUND_GAMES: readonly GameDefinition[] = GAMES.filter(({ kind }) => kind !== "instant");
const NO_GAMES: ReadonlySet<GameDefinition> = new Set();

/** A live round that ended while this screen was shown. */
export type EndedRound = { game: GameDefinition; round: LiveRound };

type Known = {
  userId: number | undefined;
  games: ReadonlySet<GameDefinition>;
  open: OpenRounds | null;
  ended: EndedRound | null;
};
type Latest = {
  userId: number | undefined;
  /** When the server read the latest response: earlier ones are out of date. */
  fetchedAtMs: number;
  /** The latest event of each live game. */
  events: Map<GameDefinition, LiveRound>;
};
const nothingReceivedBy = (userId: number | undefined): Latest => ({ userId, fetchedAtMs: 0, events: new Map() });
const nothingOf = (userId: number | undefined): Known => ({ userId, games: NO_GAMES, open: null, ended: null });

export type RunningRounds = {
  /** Whether the server has answered or could not be reached. */
  isKnown: boolean;
  games: ReadonlySet<GameDefinition>;
  /** Those that the current screen does not show. */
  elsewhere: readonly GameDefinition[];
  /** The rounds themselves; null until the server has answered. */
  open: OpenRounds | null;
  /** The last one that ended while this screen was shown. */
  ended: EndedRound | null;
};
const RunningRoundsContext = createContext<RunningRounds>({
  isKnown: true,
  games: NO_GAMES,
  elsewhere: [],
  open: null,
  ended: null,
});

const roundIn = (rounds: OpenRounds, { wire }: GameDefinition): { roundId: number } | null => {
  const byName: Readonly<Partial<Record<GameWireName, { roundId: number } | null>>> = rounds;
  return byName[wire.name] ?? null;
};

/** Whether an event is the end of a round, which nothing that was read before can take back. */
const isEndOf = (event: LiveRound, round: { roundId: number } | null): boolean =>
  event.result !== "playing" && event.roundId === round?.roundId;

/** The rounds in play according to a response and to the events that came since the server read it. */
function withEvents(fetched: OpenRounds, events: Latest["events"]): OpenRounds {
  const newer = [...events].filter(
    ([game, event]) => event.serverTimeMs >= fetched.serverTimeMs || isEndOf(event, roundIn(fetched, game)),
  );
  const rounds = newer.map(([{ wire }, event]) => [wire.name, event.result === "playing" ? event : null]);
  return { ...fetched, ...Object.fromEntries(rounds) };
}

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
  const [known, setKnown] = useState<Known>(() => nothingOf(undefined));
  const latest = useRef(nothingReceivedBy(undefined));
  const lastFetchKey = useRef("");
  const userId = user?.id;
  // Never show one user's rounds to another.
  const isKnown = known.userId === userId;
  const { games: inPlay, open, ended } = isKnown ? known : nothingOf(userId);

  const load = useCallback(async () => {
    if (userId === undefined) return;
    try {
      const fetched = await fetchOpenRounds();
      serverClock.sample(fetched.serverTimeMs);
      const { userId: currentUserId, fetchedAtMs, events } = latest.current;
      if (currentUserId !== userId || fetched.serverTimeMs < fetchedAtMs) return;
      latest.current.fetchedAtMs = fetched.serverTimeMs;
      const rounds = withEvents(fetched, events);
      const games = new Set(BACKGROUND_GAMES.filter((game) => roundIn(rounds, game) !== null));
      // Nobody waits for it: as a transition it is rendered in slices.
      startTransition(() =>
        setKnown((before) => {
          const shown = before.userId === userId ? before.ended : null;
          // The next round takes the place of the one that ended.
          return { userId, games, open: rounds, ended: shown && !games.has(shown.game) ? shown : null };
        }),
      );
    } catch (error) {
      console.warn("The rounds in play could not be loaded", error);
      setKnown((before) => (before.userId === userId ? before : nothingOf(userId)));
    }
  }, [userId]);
  useEffect(() => {
    const fetchKey = `${userId}:${screen}`;
    if (lastFetchKey.current === fetchKey) return;
    lastFetchKey.current = fetchKey;
    if (latest.current.userId !== userId) latest.current = nothingReceivedBy(userId);
    setKnown((before) => (before.ended === null ? before : { ...before, ended: null }));
    void load();
  }, [userId, screen, load]);
  useOnVisible(() => void load());

  const onLiveRound = useCallback(
    (game: GameDefinition, round: LiveRound) => {
      const isPlaying = round.result === "playing";
      const { fetchedAtMs, events } = latest.current;
      if (isPlaying && round.serverTimeMs < fetchedAtMs) return;
      const previous = events.get(game);
      if (previous && (round.serverTimeMs < previous.serverTimeMs || isEndOf(previous, round))) return;
      events.set(game, round);
      updateBalance(round);
      setKnown((before) => {
        const games = new Set(before.games);
        if (isPlaying) games.add(game);
        else games.delete(game);
        const rounds = before.open && { ...before.open, [game.wire.name]: isPlaying ? round : null };
        return { ...before, games, open: rounds, ended: isPlaying ? null : { game, round } };
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
    () => ({
      isKnown,
      games: inPlay,
      elsewhere: BACKGROUND_GAMES.filter((game) => inPlay.has(game) && game !== here),
      open,
      ended,
    }),
    [isKnown, inPlay, here, open, ended],
  );
  return <RunningRoundsContext value={rounds}>{children}</RunningRoundsContext>;
}
