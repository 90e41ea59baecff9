import type { ReactNode } from "react";
import { Amount } from "@/components/amount";
import { Panel } from "@/components/panel";
import { Table, TableCell, TableHead } from "@/components/table";
import { centsOf, formatWire } from "@/lib/money";
import type { GameHistoryEntry } from "./api";
import type { GameRounds } from "./game-rounds";
import { ProofMark } from "./proof-mark";

type OwnRoundsProps = {
  game: GameRounds;
  rounds: readonly GameHistoryEntry[];
  /** The round in play, if any. */
  inPlay?: { roundId: number; betAmount: string } | null;
  onVerifyRound(id: number): void;
};

/** The player's latest rounds of a game, shown below its stage. */
export function OwnRounds({ game, rounds, inPlay = null, onVerifyRound }: OwnRoundsProps) {
  const { result, bet, terms } = game.columns;
  const { title = "Your last bets" } = game;
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
              <TableHead className="static max-sm:hidden">Proof</TableHead>
            </tr>
          </thead>
          <tbody>
            {inPlay !== null && (
              <Row
                result="–"
                id={inPlay.roundId}
                bet={formatWire(inPlay.betAmount)}
                terms="–"
                profit={<span className="whitespace-nowrap text-ink-3">in play</span>}
              />
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

type RowProps = {
  result: ReactNode;
  id: number;
  bet: string;
  terms: ReactNode;
  profit: ReactNode;
  onVerify?: () => void;
};

function Row({ result, id, bet, terms, profit, onVerify }: RowProps) {
  return (
    <tr>
      <TableCell className="py-1 max-sm:px-1.5">{result}</TableCell>
      <TableCell className="py-1 max-sm:px-1.5">
        {onVerify === undefined ? (
          <span className="flex min-h-11 items-center gap-1">
            #{id}
            <ProofMark roundId={id} isCompact className="sm:hidden" />
          </span>
        ) : (
          <button
            type="button"
            onClick={onVerify}
            aria-label={`Round ${id}: verify`}
            className="inline-flex min-h-11 min-w-11 items-center gap-1 rounded-control text-left underline decoration-line underline-offset-4 hover:decoration-ink"
          >
            #{id}
            <ProofMark roundId={id} isCompact className="sm:hidden" />
          </button>
        )}
      </TableCell>
      <TableCell className="py-1 text-right max-sm:px-1.5">{bet}</TableCell>
      <TableCell className="py-1 text-right max-sm:px-1.5">{terms}</TableCell>
      <TableCell className="py-1 text-right max-sm:px-1.5">{profit}</TableCell>
      <TableCell className="min-w-[6.5rem] py-1 max-sm:hidden">
        <ProofMark roundId={id} />
      </TableCell>
    </tr>
  );
}
