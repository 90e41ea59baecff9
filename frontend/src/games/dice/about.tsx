import { HowToPlay } from "@/components";

const STEPS = [
  "Enter your bet and choose a target number from 1 to 98.",
  "Bet that the roll, from 1 to 100, is over the target, or the target or under.",
  "The fewer rolls win, the more a win pays: 99 divided by the number of winning rolls.",
  "Every roll can be verified afterwards.",
];

/** How it is played. */
export default function About() {
  return <HowToPlay steps={STEPS} />;
}
