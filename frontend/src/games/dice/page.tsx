import { Percent } from "@/components";
import type { GamePage } from "@/games/definition";
import { facts } from "@/lib/facts";
import { lazyPart } from "@/lib/lazy-part";
import { DiceGame } from "./dice-game";

export const page: GamePage = {
  Game: DiceGame,
  note: (
    <>
      RTP <Percent exact={facts.dice.rtp_percent} />, house edge <Percent exact={facts.dice.house_edge_percent} />, at
      every target.
    </>
  ),
  About: lazyPart(() => import("./about")),
};
