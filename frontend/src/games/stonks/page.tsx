import { Percent } from "@/components";
import type { GamePage } from "@/games/definition";
import { facts } from "@/lib/facts";
import { lazyPart } from "@/lib/lazy-part";
import { StonksGame } from "./stonks-game";

export const page: GamePage = {
  Game: StonksGame,
  note: (
    <>
      Sell before the simulated market crashes to zero. RTP <Percent exact={facts.stonks.rtp_percent} />, house edge{" "}
      <Percent exact={facts.stonks.house_edge_percent} />, whenever you sell.
    </>
  ),
  About: lazyPart(() => import("./about")),
};
