import { HowToPlay, Panel } from "@/components";

const STEPS = [
  "Invest an amount: your position begins at 1.000×.",
  "Choose Start Trading. A new price comes every half second.",
  "The multiplier fluctuates with the simulated market, up and down.",
  "Choose Sell Now before it crashes to zero. Your sale must reach the house before the crash; it pays your bet times the last price published when it arrives.",
  "Optional: with an Auto-Sell profit target your position is sold as soon as it is worth that amount, even if you are away.",
];
const TIPS = [
  "No moment to sell is better than another: on average every strategy returns the same. Play for the ride, not for a system.",
  "Half of all rounds last longer than 18.5 seconds. About 47 in 100 reach 2.000×, about 9 in 100 reach 10.000×.",
  "A market that reaches 60.000× has one closing price: 100.000×, or nothing.",
  "A lost connection does not lose your position. It stays open, the server settles it, and you can return to it here.",
];

/** How it is played. */
export default function About() {
  return (
    <div className="grid gap-4 lg:grid-cols-[7fr_5fr]">
      <HowToPlay title="How to Play" steps={STEPS} />
      <Panel title="Tips">
        <ul className="grid max-w-[60ch] list-disc gap-1.5 pl-5 text-14 text-ink-2">
          {TIPS.map((tip) => (
            <li key={tip}>{tip}</li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
