import type { components } from "@/api/schema";
import { GAMES } from "./registry";

type HouseGame = components["schemas"]["HouseGame"];

/** The measured returns of games, with what the registry knows about them. */
export const measuredReturns = (games: readonly HouseGame[]) =>
  games.map((game) => {
    const definition = GAMES.find(({ wire }) => wire.reportName === game.game);
    return {
      ...game,
      definition,
      label: definition?.reportLabel ?? game.game,
      scope: definition?.rtp.scope ?? "",
    };
  });

export type MeasuredReturn = ReturnType<typeof measuredReturns>[number];
