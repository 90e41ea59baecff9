import { Amount } from "@/components/amount";
import { Badge } from "@/components/badge";
import { Button } from "@/components/button";
import { Table, TableCell, TableHead } from "@/components/table";
import { cn } from "@/lib/class-names";
import { formatDateTime, formatShortDateTime } from "@/lib/format";
import { centsOf, formatWire } from "@/lib/money";
import type { GameHistoryEntry } from "./api";
import { ExplainButton } from "./explain-button";
import { isWin } from "./game-rounds";
import type { HistoryPages } from "./history-pages";
import { ProofMark } from "./proof-mark";

/** The text of a history entry: the game's name and the details. */
export type DescribeRound = (entry: GameHistoryEntry) => { game: string; detail: string };

type HistoryListProps = {
  history: HistoryPages;
  describe: DescribeRound;
  onVerifyRound(id: number): void;
  caption: string;
  moreLabel?: string;
};

/** Three columns with large amounts must fit a phone of 360 pixels. */
const TIGHT = "max-sm:px-1.5";

/**
 * Rounds as a table. On a phone the date and the bet are shown in the other columns, and the page scrolls instead of
 * the list.
 */
export function HistoryList({ history, describe, onVerifyRound, caption, moreLabel = "Load more" }: HistoryListProps) {
  return (
    <div className="grid gap-3">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by
          keyboard (WCAG 2.1.1) */}
      <div className="overflow-y-auto sm:max-h-[400px]" tabIndex={0} role="region" aria-label="Game records">
        <Table>
          <caption className="sr-only">Game records</caption>
          <thead>
            <tr>
              <TableHead className={TIGHT}>Game</TableHead>
              <TableHead className="max-sm:hidden">Date &amp; Time</TableHead>
              <TableHead className="text-right max-sm:hidden">Bet Amount</TableHead>
              <TableHead className={TIGHT}>Outcome</TableHead>
              <TableHead className={cn(TIGHT, "text-right")}>Win Amount</TableHead>
              <TableHead className="max-sm:hidden">
                <span className="sr-only">Verify</span>
              </TableHead>
            </tr>
          </thead>
          <tbody>
            {history.entries.map((entry) => (
              <HistoryRow key={entry.id} entry={entry} description={describe(entry)} onVerifyRound={onVerifyRound} />
            ))}
          </tbody>
        </Table>
      </div>
      <p role="status" className="text-13 text-ink-3">
        {caption}
      </p>
      {history.hasMore && (
        <Button className="justify-self-start" loading={history.isLoadingMore} onClick={history.loadMore}>
          {moreLabel}
        </Button>
      )}
    </div>
  );
}

type HistoryRowProps = {
  entry: GameHistoryEntry;
  description: ReturnType<DescribeRound>;
  onVerifyRound(id: number): void;
};

function HistoryRow({ entry, description, onVerifyRound }: HistoryRowProps) {
  const when = formatDateTime(entry.createdAt);
  const bet = formatWire(entry.betAmount);
  const verify = (
    <button
      type="button"
      onClick={() => onVerifyRound(entry.id)}
      aria-label={`Verify round ${entry.id}`}
      className="target rounded-control px-2 text-13 text-ink-2 underline underline-offset-4 hover:text-ink"
    >
      Verify
    </button>
  );
  return (
    <tr>
      <TableCell className={TIGHT}>
        {description.game} <span className="whitespace-nowrap text-ink-2">#{entry.id}</span>
        <span className="block text-12 whitespace-nowrap text-ink-3 sm:hidden">
          {formatShortDateTime(entry.createdAt)}
        </span>
        <span className="-ml-2 flex items-center sm:hidden">
          {verify}
          <ProofMark roundId={entry.id} className="min-w-17" />
        </span>
        <ProofMark roundId={entry.id} className="mt-1 flex max-sm:hidden" />
      </TableCell>
      <TableCell className="text-ink-2 max-sm:hidden">{when}</TableCell>
      <TableCell className="text-right max-sm:hidden">{bet}</TableCell>
      <TableCell className={TIGHT}>
        <Badge tone={isWin(entry) ? "win" : "neutral"} className="max-sm:whitespace-normal">
          {entry.outcome}
        </Badge>
        <span className="mt-1 block text-12 text-ink-2 sm:hidden">Bet {bet}</span>
        <span className="mt-1 block text-12 text-ink-2">{description.detail}</span>
      </TableCell>
      <TableCell className={cn(TIGHT, "text-right")}>
        {formatWire(entry.winAmount)}
        <Amount cents={centsOf(entry.profit)} signed className="block text-12" />
      </TableCell>
      <TableCell className="text-right max-sm:hidden">
        <span className="flex items-center justify-end">
          {verify}
          <ExplainButton roundId={entry.id} />
        </span>
      </TableCell>
    </tr>
  );
}
