import { HowToPlay } from "@/components";

const STEPS = [
  "Enter your bet and, if you like, a multiplier at which you are cashed out automatically.",
  "Choose how the multiplier grows: linear, by 0.70 per second, or exponential, by 10 % per second.",
  "It grows from 1.00× until it crashes. Your cash-out must reach the house before the crash. It pays your bet times the multiplier you saw, or the one at its arrival if that is lower.",
  "On a slow connection use the automatic cash-out: it happens on the server, at exactly your multiplier.",
  "If it crashes first, the bet is lost. One round in a hundred crashes instantly; at 100.00× everyone is cashed out.",
  "The crash point is fixed before you bet, and every round can be verified afterwards.",
];

/** How it is played. */
export default function About() {
  return <HowToPlay steps={STEPS} />;
}
