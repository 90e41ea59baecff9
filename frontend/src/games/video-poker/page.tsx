import { Percent } from "@/components";
import type { GamePage } from "@/games/definition";
import { facts } from "@/lib/facts";
import { InfoButton } from "./info-button";
import { PokerGame } from "./poker-game";

export const page: GamePage = {
  Game: PokerGame,
  note: (
    <>
      RTP <Percent exact={facts.video_poker.rtp_percent_maximum_bet} /> with best play at the maximum bet,{" "}
      <Percent exact={facts.video_poker.rtp_percent_below} /> below it.
    </>
  ),
  backTo: { to: "/", label: "Back" },
  Actions: InfoButton,
};
