import { CircleAlert, CircleCheck, CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState, Panel, Skeleton, Table, TableCell, TableHead, Verdict } from "@/components";
import { cn } from "@/lib/class-names";
import { counted, formatDateTime, formatShortDateTime } from "@/lib/format";
import { formatDollars } from "@/lib/money";
import type { CheckedRound, Finding } from "./recompute";
import type { useLogCheck } from "./use-log-check";

type LatestRoundsProps = { check: ReturnType<typeof useLogCheck>; actions: ReactNode };

/** The latest entries that are rounds, each recomputed in the browser. */
export function LatestRounds({ check: { data, error }, actions }: LatestRoundsProps) {
  return (
    <Panel title="Latest rounds" actions={actions}>
      {data ? (
        <Rounds rounds={data.rounds} />
      ) : error === undefined ? (
        <Skeleton className="h-[480px]" />
      ) : (
        <p className="text-14 text-ink-2">The latest rounds could not be checked.</p>
      )}
    </Panel>
  );
}

function summaryOf(rounds: readonly CheckedRound[]): { holds: boolean; good: string; bad: string } {
  const count = (kind: Finding["kind"]) => rounds.filter(({ finding }) => finding.kind === kind).length;
  const [matching, wrong] = [count("holds"), count("contradiction")];
  return {
    holds: wrong === 0,
    good: `${counted(matching, "round")} recomputed in your browser: each paid exactly what its random words and the player's choices give.`,
    bad: `${counted(wrong, "round does", "rounds do")} not follow from ${wrong === 1 ? "its" : "their"} random words and the player's choices.`,
  };
}

function Rounds({ rounds }: { rounds: readonly CheckedRound[] }) {
  if (rounds.length === 0)
    return (
      <EmptyState title="No rounds yet">A round is listed here within ten seconds after it was settled.</EmptyState>
    );
  return (
    <div className="grid gap-4">
      <p className="max-w-[80ch] text-14 text-ink-2">
        Nobody can tell from an entry who played. It has the stake, the payout, the player’s choices, and the random
        words that decided the round, so anyone can compute the payout again.
      </p>
      <Verdict {...summaryOf(rounds)} />
      <Table>
        <caption className="sr-only">The latest rounds in the public log, newest first</caption>
        <thead>
          <tr>
            <TableHead className="static max-sm:hidden">Entry</TableHead>
            <TableHead className="static max-sm:px-1.5 max-sm:pl-0">Game</TableHead>
            <TableHead className="static max-sm:hidden">Settled</TableHead>
            <TableHead className="static text-right max-sm:px-1.5">Stake</TableHead>
            <TableHead className="static text-right max-sm:px-1.5">Payout</TableHead>
            <TableHead className="static sm:pl-8">Check</TableHead>
          </tr>
        </thead>
        <tbody>
          {rounds.map((round) => (
            <Row key={round.index} {...round} />
          ))}
        </tbody>
      </Table>
    </div>
  );
}

const isoOf = (second: number): string => new Date(second * 1000).toISOString();

function Row({ index, entry, label, finding }: CheckedRound) {
  const settled = entry && isoOf(entry.second);
  return (
    <tr>
      <TableCell className="py-2 text-ink-2 max-sm:hidden">{index.toLocaleString("en-US")}</TableCell>
      <TableCell className="py-2 max-sm:px-1.5 max-sm:pl-0">
        {label}
        <span className="block text-12 text-ink-3 sm:hidden">
          Entry {index.toLocaleString("en-US")}
          {settled !== null && <span className="block">{formatShortDateTime(settled)}</span>}
          {finding.kind === "contradiction" && (
            <span className="block text-notice">Contradiction: {finding.reason}</span>
          )}
        </span>
      </TableCell>
      <TableCell className="py-2 text-ink-2 max-sm:hidden">
        {settled === null ? "–" : formatDateTime(settled)}
      </TableCell>
      <TableCell className="py-2 text-right max-sm:px-1.5">{entry ? formatDollars(entry.round.stake) : "–"}</TableCell>
      <TableCell className="py-2 text-right max-sm:px-1.5">{entry ? formatDollars(entry.round.payout) : "–"}</TableCell>
      <TableCell className="py-2 sm:pl-8">
        <FindingMark finding={finding} />
      </TableCell>
    </tr>
  );
}

const MARKS = {
  holds: { Icon: CircleCheck, text: "recomputed", className: "text-info" },
  unknown: { Icon: CircleHelp, text: "not checked", className: "text-ink-3" },
  contradiction: { Icon: CircleAlert, text: "contradiction", className: "text-notice" },
} as const satisfies Record<Finding["kind"], unknown>;

/** In words, symbol and colour; on a phone the words of a contradiction are below the game. */
function FindingMark({ finding }: { finding: Finding }) {
  const { Icon, text, className } = MARKS[finding.kind];
  return (
    <span className={cn("inline-flex items-center gap-1.5 text-13", className)}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="max-sm:sr-only">
        {text}
        {finding.kind === "contradiction" && <span className="block text-12 text-ink-2">{finding.reason}</span>}
      </span>
    </span>
  );
}
