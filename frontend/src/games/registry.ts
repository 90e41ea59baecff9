import { baccarat } from "./baccarat";
import { blackjack } from "./blackjack";
import { crash } from "./crash";
import type { AnnouncedGame, GameDefinition } from "./definition";
import { dice } from "./dice";
import { headsUp } from "./heads-up";
import { holdem } from "./holdem";
import { mines } from "./mines";
import type { GameHistoryEntry, GameType } from "./rounds/api";
import { isRoundOf } from "./rounds/game-rounds";
import type { Verifier } from "./rounds/verification";
import { sportsbook } from "./sportsbook";
import { stonks } from "./stonks";
import { videoPoker } from "./video-poker";

/** Every game, in the order of the menus. The first is the one that new players are led to. */
const REGISTRY: readonly [GameDefinition, ...(GameDefinition | AnnouncedGame)[]] = [
  dice,
  crash,
  stonks,
  videoPoker,
  headsUp,
  blackjack,
  baccarat,
  mines,
  holdem,
  sportsbook,
];

export const [STARTER_GAME] = REGISTRY;
export const GAMES: readonly GameDefinition[] = REGISTRY.filter((game) => game.status === "open");
export const ANNOUNCED_GAMES: readonly AnnouncedGame[] = REGISTRY.filter((game) => game.status === "announced");
export const TIMED_GAMES: readonly GameDefinition[] = GAMES.filter(({ kind }) => kind === "timed");

/** A page of its own: one game, or several that are told apart by the hash of its address. */
export type GameScreen = { path: string; games: readonly [GameDefinition, ...GameDefinition[]] };

const pathnameOf = ({ path }: GameDefinition): string => path.split("#", 1)[0] ?? path;
/** With its sign; empty for the game that a page shows without one. */
export const hashOf = ({ path }: GameDefinition): string => path.slice(path.split("#", 1)[0]?.length);

export const GAME_SCREENS: readonly GameScreen[] = GAMES.filter((game) => hashOf(game) === "").map((game) => {
  const path = pathnameOf(game);
  return { path, games: [game, ...GAMES.filter((other) => other !== game && pathnameOf(other) === path)] };
});

/** Which of the games of a page an address shows. */
export const shownGame = ({ games }: GameScreen, hash: string): GameDefinition => games.find((game) => hashOf(game) === hash) ?? games[0];

/** The first of the games that the history has under a name. */
export function gameOfType(type: GameType): GameDefinition | undefined {
  return GAMES.find(({ rounds }) => rounds.gameType === type);
}
/** The games as the history has them, which can be several under one name. */
export const GAME_TYPES: readonly { value: GameType; label: string }[] = GAMES.filter((game) => gameOfType(game.rounds.gameType) === game).map(({ rounds }) => ({
  value: rounds.gameType,
  label: rounds.typeLabel,
}));
export const gameTypeLabel = (type: GameType): string => GAME_TYPES.find(({ value }) => value === type)?.label ?? type;
/** What a record says, among those of all games. */
export function describeRound(entry: GameHistoryEntry): { game: string; detail: string } {
  const game = GAMES.find(({ rounds }) => isRoundOf(rounds, entry)) ?? gameOfType(entry.gameType);
  return { game: gameTypeLabel(entry.gameType), detail: game?.rounds.detailText(entry) ?? "" };
}

/** "Q2 2025" */
export const quarterText = ({ year, quarter }: AnnouncedGame["expected"]): string => `Q${quarter} ${year}`;

/** The verifiers of all games, in their order. */
export const loadVerifiers = (): Promise<Verifier[]> => Promise.all(GAMES.map(async ({ loadVerifier }) => (await loadVerifier()).verifier));
