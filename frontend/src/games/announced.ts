// The games that are only announced. The pages that list them are few, so their texts are not part of the registry,
// which every page needs.

import { baccarat } from "./baccarat";
import { blackjack } from "./blackjack";
import type { AnnouncedGame, Announcement, GameDefinition, GameStatus } from "./definition";
import { useGameStatuses } from "./game-status";
import { holdem } from "./holdem";
import { GAMES, statusIn, type Statuses } from "./registry";
import { sportsbook } from "./sportsbook";

/** The games without a page, by the game that they follow in the menus. */
const FOLLOWING: Readonly<Record<string, readonly AnnouncedGame[]>> = {
  "heads-up": [blackjack, baccarat],
  mines: [holdem, sportsbook],
};

function announcementOf(game: GameDefinition): Announcement {
  return (
    game.announcement ?? {
      fullName: game.title,
      tagline: game.lobby?.tagline ?? "",
      isInMenu: game.lobby !== undefined,
    }
  );
}

/**
 * The games that are only announced, in the order of the menus: those without a page, and those that cannot be played.
 */
function announcedBy(statusOf: (game: GameDefinition) => GameStatus): readonly AnnouncedGame[] {
  return GAMES.flatMap((game) => {
    const own = { id: game.id, name: game.name, ...announcementOf(game) };
    return (statusOf(game) === "announced" ? [own] : []).concat(FOLLOWING[game.id] ?? []);
  });
}

export const announcedIn = (statuses: Statuses): readonly AnnouncedGame[] =>
  announcedBy((game) => statusIn(statuses, game));

/** The games that are only announced at the moment. */
export const useAnnouncedGames = (): readonly AnnouncedGame[] => announcedBy(useGameStatuses().statusOf);

/** "Q2 2025" */
export const quarterText = ({ year, quarter }: NonNullable<AnnouncedGame["expected"]>): string => `Q${quarter} ${year}`;
