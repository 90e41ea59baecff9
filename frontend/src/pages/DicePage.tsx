import { useAppDialogs } from "@/app/dialogs";
import { PageHeader, Panel } from "@/components";
import { DiceGame } from "@/features/dice";
import { facts } from "@/lib/facts";
import { PageFrame } from "./page-frame";

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
      <PageHeader title="Dice" subtitle={`RTP ${facts.dice.rtp_percent} %, house edge ${facts.dice.house_edge_percent} %, at every target.`} />
      <DiceGame onVerifyRound={openFairness} onOpenFairness={() => openFairness()} />
      <Panel title="How to play">
        <ol className="grid max-w-[70ch] list-decimal gap-1.5 pl-5 text-14 text-ink-2">
          {STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Panel>
    </PageFrame>
  );
}
