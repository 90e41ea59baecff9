import { useCallback } from "react";
import { Amount, Badge, Table, TableCell, TableHead } from "@/components";
import { Trainer } from "@/games/cards/trainer";
import { formatPercent } from "@/lib/format";
import { centsOf } from "@/lib/money";
import { fetchHeadsUpAnalysis, type HeadsUpAnalysis, type HeadsUpHand } from "./api";

/** A smaller difference between two actions counts as none. */
const SAME = 1e-9;

const NAMES = { fold: "Fold", call: "Call", raise: "Raise" } as const;
const signed = (bets: number): string => `${bets < 0 ? "−" : "+"}${Math.abs(bets).toFixed(4)}`;

/** After the hand: the odds at the flop, and the value of each action. */
export function HeadsUpTrainer({ hand }: { hand: HeadsUpHand }) {
  const { roundId, betAmount } = hand;
  const load = useCallback(() => fetchHeadsUpAnalysis(roundId), [roundId]);
  return (
    <Trainer<HeadsUpAnalysis> load={load}>
      {(analysis) => <ActionAdvice analysis={analysis} betCents={centsOf(betAmount)} />}
    </Trainer>
  );
}

function ActionAdvice({ analysis, betCents }: { analysis: HeadsUpAnalysis; betCents: number }) {
  const { completions, wins, ties, losses, houseUnqualified, actions, chosen } = analysis;
  const [best] = actions;
  const own = actions.find(({ action }) => action === chosen);
  const cost = best && own ? best.expectedNet - own.expectedNet : 0;
  const chances = [
    { name: "You win", count: wins },
    { name: "A tie", count: ties },
    { name: "The house wins", count: losses },
  ];
  return (
    <div className="grid gap-5 lg:grid-cols-2 lg:gap-8">
      <div className="grid content-start gap-3">
        <p className="text-16 font-semibold">
          {cost < SAME ? "You made the best play." : `The best play: ${best ? NAMES[best.action].toLowerCase() : ""}.`}
        </p>
        {cost >= SAME && (
          <p className="text-14 text-ink-2">
            The choice cost {cost.toFixed(4)} bets on average: <Amount cents={-Math.round(cost * betCents)} signed />
          </p>
        )}
        <dl className="grid gap-2.5 text-14">
          {chances.map(({ name, count }) => (
            <div key={name} className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1">
              <dt className="text-ink-2">{name}</dt>
              <dd className="font-semibold">{formatPercent(count / completions)}</dd>
              <dd aria-hidden className="col-span-2 h-1.5 overflow-hidden rounded-full bg-line">
                <div
                  className="h-full origin-left rounded-full bg-ink-3"
                  style={{ transform: `scaleX(${count / completions})` }}
                />
              </dd>
            </div>
          ))}
        </dl>
        <p className="text-13 text-ink-3">
          Of all {completions.toLocaleString("en-US")} ways to deal the turn, the river and the house's cards. In{" "}
          {formatPercent(houseUnqualified / completions)} of them the house does not qualify.
        </p>
      </div>
      <Table>
        <caption className="sr-only">What each action returns on average, in bets; the best first</caption>
        <thead>
          <tr>
            <TableHead>Action</TableHead>
            <TableHead className="text-right">Staked</TableHead>
            <TableHead className="text-right">Returned</TableHead>
            <TableHead className="text-right">Net</TableHead>
          </tr>
        </thead>
        <tbody>
          {actions.map(({ action, staked, expectedReturn, expectedNet }, index) => (
            <tr key={action}>
              <TableCell className="font-semibold">
                {NAMES[action]}
                {index === 0 && (
                  <Badge tone="brass" className="ml-2">
                    Best
                  </Badge>
                )}
                {action === chosen && (
                  <Badge tone="info" className="ml-2">
                    Yours
                  </Badge>
                )}
              </TableCell>
              <TableCell className="text-right">{staked}</TableCell>
              <TableCell className="text-right">{expectedReturn.toFixed(4)}</TableCell>
              <TableCell className={expectedNet < 0 ? "text-right text-loss" : "text-right text-win"}>
                {signed(expectedNet)}
              </TableCell>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
