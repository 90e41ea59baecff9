import { crash } from "./crash";
import type { GameDefinition, GameStatus } from "./definition";
import { dice } from "./dice";
import { headsUp } from "./heads-up";
import { mines } from "./mines";
import type { GameHistoryEntry, GameType, SettledRound } from "./rounds/api";
import { isRoundOf } from "./rounds/game-rounds";
import type { Verifier } from "./rounds/verification";
import { stonks } from "./stonks";
import { videoPoker } from "./video-poker";

/**
 * Every game with a page, whatever its status, in the order of the menus. New players are sent to the first one. Those
 * without a page are in `announced.ts`.
 */
export const GAMES: readonly [GameDefinition, ...GameDefinition[]] = [dice, crash, stonks, videoPoker, headsUp, mines];
export const [STARTER_GAME] = GAMES;
export const TIMED_GAMES: readonly GameDefinition[] = GAMES.filter(({ kind }) => kind === "timed");

/** A page of one game, or of several that are distinguished by the hash. */
export type GameScreen = { path: string; games: readonly [GameDefinition, ...GameDefinition[]] };

const pathnameOf = ({ path }: GameDefinition): string => path.split("#", 1)[0] ?? path;
/** Including the #; empty for the default game of a page. */
export const hashOf = (game: GameDefinition): string => game.path.slice(pathnameOf(game).length);

/** The pages of the given games, each with those that share it. */
export function screensOf(games: readonly GameDefinition[]): readonly GameScreen[] {
  const paths = [...new Set(games.map(pathnameOf))];
  return paths.flatMap((path) => {
    const [first, ...others] = games.filter((game) => pathnameOf(game) === path);
    return first ? [{ path, games: [first, ...others] as const }] : [];
  });
}

export const GAME_SCREENS: readonly GameScreen[] = screensOf(GAMES);

/** The game of a page that an address selects. */
export const shownGame = ({ games }: Pick<GameScreen, "games">, hash: string): GameDefinition =>
  games.find((game) => hashOf(game) === hash) ?? games[0];

/** By the server's names of the games; a missing one has its default status. */
export type Statuses = ReadonlyMap<string, GameStatus>;

export const statusIn = (statuses: Statuses, { wire, defaultStatus }: GameDefinition): GameStatus =>
  statuses.get(wire.name) ?? defaultStatus;

/** Open and paused games. */
export const playableIn = (statuses: Statuses): readonly GameDefinition[] =>
  GAMES.filter((game) => statusIn(statuses, game) !== "announced");

/** The first of the games with this name in the history. */
export function gameOfType(type: GameType): GameDefinition | undefined {
  return GAMES.find(({ rounds }) => rounds.gameType === type);
}
/** The history's names of the given games; several can share one. */
export function gameTypesOf(games: readonly GameDefinition[]): readonly { value: GameType; label: string }[] {
  const types = games.map(({ rounds }) => ({ value: rounds.gameType, label: rounds.typeLabel }));
  return types.filter(({ value }, index) => types.findIndex((other) => other.value === value) === index);
}
export const gameTypeLabel = (type: GameType): string => gameOfType(type)?.rounds.typeLabel ?? type;
/** The game that a settled round is of. */
export const gameOfRound = (round: SettledRound): GameDefinition | undefined =>
  GAMES.find(({ wire }) => round[wire.name] !== null);
/** The text of a history entry in a list of all games. */
export function describeRound(entry: GameHistoryEntry): { game: string; detail: string } {
  const game = GAMES.find(({ rounds }) => isRoundOf(rounds, entry)) ?? gameOfType(entry.gameType);
  return { game: gameTypeLabel(entry.gameType), detail: game?.rounds.detailText(entry) ?? "" };
}

/** The verifiers of all games, in order. */
export const loadVerifiers = (): Promise<Verifier[]> =>
  Promise.all(GAMES.map(async ({ loadVerifier }) => (await loadVerifier()).verifier));
