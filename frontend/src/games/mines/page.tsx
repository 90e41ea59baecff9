import { Percent } from "@/components";
import type { GamePage } from "@/games/definition";
import { lazyPart } from "@/lib/lazy-part";
import { HOUSE_EDGE_PERCENT, RTP_PERCENT } from "./multiplier";
import { MinesGame } from "./mines-game";

export const page: GamePage = {
  Game: MinesGame,
  note: (
    <>
      Find the gems and cash out before you hit a mine. RTP <Percent exact={RTP_PERCENT} />, house edge{" "}
      <Percent exact={HOUSE_EDGE_PERCENT} />, for every number of mines and whenever you cash out.
    </>
  ),
  About: lazyPart(() => import("./about")),
};
