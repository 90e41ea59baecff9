import { LinkButton, Panel } from "@/components";
import { facts } from "@/lib/facts";

const PLANNED = {
  poker: {
    name: "Jacks or Better Poker",
    rules: ["Bet 1-10 coins; five cards are dealt.", "Choose which to hold; the others are replaced.", "A pair of Jacks or better wins, by the 8/5 paytable."],
    rtp: `${facts.video_poker.rtp_percent_maximum_bet} % with best play at the maximum bet, ${facts.video_poker.rtp_percent_below} % below it`,
  },
} as const;

export type PlannedGame = keyof typeof PLANNED;

/** A game that opens later: its rules, its exact return, and where to play meanwhile. */
export function NotYet({ game }: { game: PlannedGame }) {
  const { name, rules, rtp } = PLANNED[game];
  return (
    <Panel title={`${name} opens in a coming release`}>
      <div className="grid gap-5">
        <ol className="grid max-w-[60ch] list-decimal gap-1.5 pl-5 text-14 text-ink-2">
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ol>
        <p className="text-14">
          <span className="text-ink-3">RTP </span>
          {rtp}
        </p>
        <LinkButton to="/dice" variant="primary" className="justify-self-start">
          Play dice meanwhile
        </LinkButton>
      </div>
    </Panel>
  );
}
