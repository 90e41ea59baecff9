import { HowToPlay } from "@/components";

const STEPS = [
  "Enter your bet and choose how many of the 25 cells hold a mine, from 1 to 24.",
  "Reveal cells, or let Random pick choose one. Each safe cell raises the multiplier; the more mines there are, the faster.",
  "Cash out after any safe cell: you are paid your bet times the multiplier. If you reveal a mine, the bet is lost.",
  "After k safe cells among m mines the multiplier is 0.99 times the fair one: 0.99 · C(25, k) / C(25 − m, k). It is shown rounded down and paid exactly.",
  "The last safe cell pays at once, and so does a cell after which the next one could pay more than $100,000.00.",
  "The mines are placed before you reveal anything. Afterwards all of them are shown, and every round can be verified.",
];

/** How it is played. */
export default function About() {
  return <HowToPlay steps={STEPS} />;
}
