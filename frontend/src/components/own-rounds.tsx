import type { ReactNode } from "react";
import type { GameHistoryEntry } from "@/api/types";
import { centsOf, formatWire } from "@/lib/money";
import { type OwnGame, sideText, times } from "@/lib/own-rounds";
import { Amount } from "./amount";
import { Panel } from "./panel";
import { Table, TableCell, TableHead } from "./table";

type Column = { name: string; cell(entry: GameHistoryEntry): ReactNode };

const PAID: Column = { name: "Paid", cell: ({ winAmount }) => formatWire(winAmount) };
/** What stands first and fourth; between them the round's number and the bet, after them the profit. */
const COLUMNS: Record<OwnGame, { result: Column; terms: Column; bet: string }> = {
  dice: {
    result: { name: "Roll", cell: ({ diceResult }) => diceResult },
    bet: "Bet",
    terms: { name: "Target", cell: sideText },
  },
  crash: {
    result: { name: "Crash point", cell: ({ crashPoint }) => times(crashPoint ?? 1) },
    bet: "Bet",
    terms: { name: "Cashed out", cell: ({ cashoutMultiplier }) => (cashoutMultiplier == null ? "–" : times(cashoutMultiplier)) },
  },
  stonks: {
    result: { name: "Sold at", cell: ({ cashoutMultiplier }) => (cashoutMultiplier == null ? "Crashed" : times(cashoutMultiplier, 3)) },
    bet: "Bet",
    terms: PAID,
  },
  videoPoker: { result: { name: "Hand", cell: ({ handRank }) => handRank ?? "No win" }, bet: "Bet", terms: PAID },
  headsUp: {
    result: { name: "Result", cell: ({ outcome }) => RESULTS[outcome.split(" ", 1)[0] ?? ""] ?? outcome },
    bet: "Staked",
    terms: { name: "Your move", cell: ({ action }) => (action == null ? "–" : `${action.charAt(0).toUpperCase()}${action.slice(1)}`) },
  },
};
const RESULTS: Readonly<Record<string, string>> = { win: "Won", loss: "Lost", push: "Push", fold: "Folded" };

/** Both poker games can stand on one page, so that each says which hands are meant. */
const TITLES: Partial<Record<OwnGame, string>> = { videoPoker: "Your last hands", headsUp: "Your last heads-up hands" };

type OwnRoundsProps = {
  game: OwnGame;
  rounds: readonly GameHistoryEntry[];
  /** The round that is on; none where none is. */
  inPlay?: { roundId: number; betAmount: string } | null;
  onVerifyRound(id: number): void;
};

/** The player's last rounds of a game, as they stand beneath its stage. */
export function OwnRounds({ game, rounds, inPlay = null, onVerifyRound }: OwnRoundsProps) {
  const { result, bet, terms } = COLUMNS[game];
  const title = TITLES[game] ?? "Your last bets";
  const settled = rounds.filter(({ id }) => id !== inPlay?.roundId);
  return (
    <Panel title={title} className="max-sm:p-3">
      {settled.length === 0 && inPlay === null ? (
        <p className="text-14 text-ink-2">Place a bet and it appears here.</p>
      ) : (
        <Table className="max-sm:text-13">
          <caption className="sr-only">{title}, newest first</caption>
          <thead>
            <tr>
              <TableHead className="static max-sm:px-1.5">{result.name}</TableHead>
              <TableHead className="static max-sm:px-1.5">Bet ID</TableHead>
              <TableHead className="static text-right max-sm:px-1.5">{bet}</TableHead>
              <TableHead className="static text-right max-sm:px-1.5">{terms.name}</TableHead>
              <TableHead className="static text-right max-sm:px-1.5">Profit</TableHead>
            </tr>
          </thead>
          <tbody>
            {inPlay !== null && (
              <Row result="–" id={inPlay.roundId} bet={formatWire(inPlay.betAmount)} terms="–" profit={<span className="whitespace-nowrap text-ink-3">in play</span>} />
            )}
            {settled.map((entry) => (
              <Row
                key={entry.id}
                result={result.cell(entry)}
                id={entry.id}
                bet={formatWire(entry.betAmount)}
                terms={terms.cell(entry)}
                profit={<Amount cents={centsOf(entry.profit)} signed />}
                onVerify={() => onVerifyRound(entry.id)}
              />
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

type RowProps = { result: ReactNode; id: number; bet: string; terms: ReactNode; profit: ReactNode; onVerify?: () => void };

function Row({ result, id, bet, terms, profit, onVerify }: RowProps) {
  return (
    <tr>
      <TableCell className="py-1 max-sm:px-1.5">{result}</TableCell>
      <TableCell className="py-1 max-sm:px-1.5">
        {onVerify === undefined ? (
          <span className="flex min-h-11 items-center">#{id}</span>
        ) : (
          <button type="button" onClick={onVerify} aria-label={`Round ${id}: verify`} className="min-h-11 min-w-11 rounded-control text-left underline decoration-line underline-offset-4 hover:decoration-ink">
            #{id}
          </button>
        )}
      </TableCell>
      <TableCell className="py-1 text-right max-sm:px-1.5">{bet}</TableCell>
      <TableCell className="py-1 text-right max-sm:px-1.5">{terms}</TableCell>
      <TableCell className="py-1 text-right max-sm:px-1.5">{profit}</TableCell>
    </tr>
  );
}
