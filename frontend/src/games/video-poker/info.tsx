import { Dialog } from "@/components";
import { Accordion } from "@/components/accordion";
import { facts } from "@/lib/facts";
import { PayoutTable } from "./payout-table";

const RULES = [
  "Bet 1-10 coins; a coin is a dollar. Ten is the maximum bet.",
  "Deal gives 5 cards.",
  "Choose which cards to hold.",
  "Draw replaces the cards that you do not hold.",
  "You are paid by the final hand.",
  "The minimum winning hand is a pair of Jacks or better.",
];

const RANKINGS = [
  ["Royal Flush", "A, K, Q, J and 10 of one suit"],
  ["Straight Flush", "Five cards in sequence, of one suit"],
  ["Four of a Kind", "Four cards of one value"],
  ["Full House", "Three of one value and two of another"],
  ["Flush", "Five cards of one suit"],
  ["Straight", "Five cards in sequence; the ace is high or low"],
  ["Three of a Kind", "Three cards of one value"],
  ["Two Pair", "Two cards of one value and two of another"],
  ["Jacks or Better", "A pair of Jacks, Queens, Kings or Aces"],
] as const;

export default function PokerInfo({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  const sections = [
    {
      title: "Rules",
      content: (
        <ol className="grid list-decimal gap-1.5 pl-5">
          {RULES.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ol>
      ),
    },
    {
      title: "Hand Rankings",
      content: (
        <ol className="grid list-decimal gap-1.5 pl-5">
          {RANKINGS.map(([name, meaning]) => (
            <li key={name}>
              <strong className="text-ink">{name}:</strong> {meaning}
            </li>
          ))}
        </ol>
      ),
    },
    {
      title: "Paytable (8/5)",
      content: (
        <>
          <PayoutTable />
          <p className="mt-3">
            With best play {facts.video_poker.rtp_percent_maximum_bet} % of the bets comes back at the maximum bet,{" "}
            {facts.video_poker.rtp_percent_below} % below it.
          </p>
        </>
      ),
    },
  ];
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="How Jacks or Better works" wide>
      <Accordion sections={sections} initial="Rules" />
    </Dialog>
  );
}
