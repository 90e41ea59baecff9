import { useAppDialogs } from "@/app/dialogs";
import { PageHeader, Percent } from "@/components";
import { DiceGame } from "@/features/dice";
import { facts } from "@/lib/facts";
import { GameNote } from "./game-note";
import { HowToPlay } from "./how-to-play";
import { PageFrame } from "./page-frame";

const NOTE = (
  <>
    RTP <Percent exact={facts.dice.rtp_percent} />, house edge <Percent exact={facts.dice.house_edge_percent} />, at every target.
  </>
);
const STEPS = [
  "Enter your bet and choose a target number from 1 to 98.",
  "Bet that the roll, from 1 to 100, is over the target, or the target or under.",
  "The fewer rolls win, the more a win pays: 99 divided by the number of winning rolls.",
  "Every roll can be verified afterwards.",
];

export default function DicePage() {
  const { openFairness } = useAppDialogs();
  return (
    <PageFrame>
      <PageHeader isGame title="Dice" subtitle={NOTE} />
      <DiceGame onVerifyRound={openFairness} onOpenFairness={() => openFairness()} />
      <GameNote>{NOTE}</GameNote>
      <HowToPlay steps={STEPS} />
    </PageFrame>
  );
}
