import { Percent } from "@/components";
import type { GamePage } from "@/games/definition";
import { facts } from "@/lib/facts";
import { lazyPart } from "@/lib/lazy-part";
import { CrashGame } from "./crash-game";

export const page: GamePage = {
  Game: CrashGame,
  note: (
    <>
      Cash out before the multiplier crashes. RTP <Percent exact={facts.crash.rtp_percent} />, house edge{" "}
      <Percent exact={facts.crash.house_edge_percent} />, at every cash-out.
    </>
  ),
  About: lazyPart(() => import("./about")),
};
