import { HowToPlay, Percent } from "@/components";
import type { GamePage } from "@/games/definition";
import { facts } from "@/lib/facts";
import { DiceGame } from "./dice-game";

const STEPS = [
  "Enter your bet and choose a target number from 1 to 98.",
  "Bet that the roll, from 1 to 100, is over the target, or the target or under.",
  "The fewer rolls win, the more a win pays: 99 divided by the number of winning rolls.",
  "Every roll can be verified afterwards.",
];

export const page: GamePage = {
  Game: DiceGame,
  note: (
    <>
      RTP <Percent exact={facts.dice.rtp_percent} />, house edge <Percent exact={facts.dice.house_edge_percent} />, at
      every target.
    </>
  ),
  About: () => <HowToPlay steps={STEPS} />,
};
