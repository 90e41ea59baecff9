import { useCallback } from "react";
import { Amount, Badge, Table, TableCell, TableHead } from "@/components";
import { CardList } from "@/games/cards";
import { Trainer } from "@/games/cards/trainer";
import { type Card, cardNames, cardSigns } from "@/lib/cards";
import { cn } from "@/lib/class-names";
import { centsOf } from "@/lib/money";
import { fetchVideoPokerAnalysis, type HoldValue, type PokerHand, type VideoPokerAnalysis } from "./api";

/** A smaller difference between two holds counts as none. */
const SAME = 1e-9;

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((index) => other.includes(index));
const heldOf = (dealt: readonly Card[], indexes: readonly number[]): Card[] =>
  dealt.filter((_, index) => indexes.includes(index));
const held = (cards: readonly Card[]): string =>
  cards.length === 0 ? "nothing" : cards.length === 5 ? "all five cards" : cardNames(cards);

/** After the hand: the best hold, the cost of the player's choice, and all 32 holds. Nothing without a finished hand. */
export default function HandTrainer({ hand, dealt }: { hand: PokerHand | null; dealt: Card[] }) {
  return hand && <FinishedHand key={hand.roundId} hand={hand} dealt={dealt} />;
}

function FinishedHand({ hand, dealt }: { hand: PokerHand; dealt: Card[] }) {
  const { roundId, betAmount } = hand;
  const load = useCallback(() => fetchVideoPokerAnalysis(roundId), [roundId]);
  return (
    <Trainer<VideoPokerAnalysis> load={load}>
      {(analysis) => <HoldAdvice analysis={analysis} dealt={dealt} betCents={centsOf(betAmount)} />}
    </Trainer>
  );
}

type HoldAdviceProps = { analysis: VideoPokerAnalysis; dealt: Card[]; betCents: number };

function HoldAdvice({ analysis: { holds, chosen, best }, dealt, betCents }: HoldAdviceProps) {
  const valueOf = (indexes: number[]) =>
    holds.find(({ heldIndexes }) => isSame(heldIndexes, indexes))?.expectedReturn ?? 0;
  const cost = valueOf(best) - valueOf(chosen);
  const isBest = cost < SAME;
  return (
    <div className="grid gap-5 lg:grid-cols-[auto_1fr] lg:gap-8">
      <div className="grid content-start gap-4">
        <CardList label="The best hold" places={dealt} marked={best} />
        <div className="grid gap-1 text-14">
          <p className="text-16 font-semibold">
            {isBest ? "You made the best play." : `The best play: hold ${held(heldOf(dealt, best))}.`}
          </p>
          <p className="text-ink-2">
            You held {held(heldOf(dealt, chosen))}, worth {valueOf(chosen).toFixed(4)} bets on average.
          </p>
          {!isBest && (
            <p className="text-ink-2">
              The choice cost {cost.toFixed(4)} bets on average: <Amount cents={-Math.round(cost * betCents)} signed />
            </p>
          )}
        </div>
      </div>
      <HoldTable holds={holds} chosen={chosen} best={best} dealt={dealt} />
    </div>
  );
}

type HoldTableProps = { holds: HoldValue[]; chosen: number[]; best: number[]; dealt: Card[] };

function HoldTable({ holds, chosen, best, dealt }: HoldTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard (WCAG 2.1.1)
    <div role="region" aria-label="All 32 holds" tabIndex={0} className="relative max-h-[320px] overflow-y-auto">
      <Table>
        <caption className="sr-only">What each hold returns on average, times the bet; the best first</caption>
        <thead>
          <tr>
            <TableHead>Hold</TableHead>
            <TableHead className="text-right">Expected value</TableHead>
            <TableHead className="text-right max-sm:hidden">Draws</TableHead>
          </tr>
        </thead>
        <tbody>
          {holds.map(({ heldIndexes, expectedReturn, draws }) => {
            const cards = heldOf(dealt, heldIndexes);
            const isChosen = isSame(heldIndexes, chosen);
            const isBest = isSame(heldIndexes, best);
            return (
              <tr key={heldIndexes.join("-")} className={cn((isChosen || isBest) && "font-semibold")}>
                <TableCell className="py-1.5">
                  <span className="sr-only">{held(cards)}</span>
                  <span aria-hidden>{cards.length === 0 ? "Nothing" : cardSigns(cards)}</span>
                  {isBest && (
                    <Badge tone="brass" className="ml-2">
                      Best
                    </Badge>
                  )}
                  {isChosen && (
                    <Badge tone="info" className="ml-2">
                      Yours
                    </Badge>
                  )}
                </TableCell>
                <TableCell className="py-1.5 text-right">{expectedReturn.toFixed(4)}</TableCell>
                <TableCell className="py-1.5 text-right text-ink-2 max-sm:hidden">
                  {draws.toLocaleString("en-US")}
                </TableCell>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}
