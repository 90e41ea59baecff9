import { api } from "@/api/client";
import type { DailyStatement } from "./api";
import { type Page, pageOf, pageQuery, usePages } from "@/api/pages";
import { Button, EmptyState, ErrorState, Panel, Skeleton, Table, TableCell, TableHead } from "@/components";
import { formatWire } from "@/lib/money";
import { changesText, isNothing } from "./statement-text";
import { dateLabel } from "./times";

const PAGE_SIZE = 20;

async function fetchStatements(cursor: string | null): Promise<Page<DailyStatement>> {
  return pageOf(await api.GET("/api/statements", { params: { query: pageQuery(PAGE_SIZE, cursor) } }));
}

/** What each day changed about the balance, from the ledger. */
export function Statements() {
  const pages = usePages(["statements"], fetchStatements);
  return (
    <Panel title="Daily statements">
      <div className="grid gap-3">
        {pages.error !== undefined && pages.entries.length === 0 ? (
          <ErrorState title="The statements could not be loaded" onRetry={() => void pages.reload()} />
        ) : pages.isLoadingFirst ? (
          <Skeleton className="h-[240px]" />
        ) : pages.entries.length === 0 ? (
          <EmptyState title="No statements yet">
            Every day on which your balance changes gets a line: what you began with, what came in and went out, and
            what was left.
          </EmptyState>
        ) : (
          <StatementTable statements={pages.entries} />
        )}
        {pages.error !== undefined && pages.entries.length > 0 && (
          <ErrorState title="Older statements could not be loaded" onRetry={() => void pages.reload()} />
        )}
        {pages.hasMore && pages.error === undefined && (
          <Button className="justify-self-start" loading={pages.isLoading} onClick={pages.loadMore}>
            More
          </Button>
        )}
      </div>
    </Panel>
  );
}

const WIDE_ONLY = "max-lg:hidden";

function StatementTable({ statements }: { statements: readonly DailyStatement[] }) {
  return (
    <Table className="max-sm:text-13">
      <caption className="sr-only">Daily statements, newest first</caption>
      <thead>
        <tr>
          <TableHead className="static">Day (UTC)</TableHead>
          <TableHead className="static text-right max-sm:hidden">Opening</TableHead>
          {["Deposits", "Withdrawals", "Adjustments", "Staked", "Paid"].map((name) => (
            <TableHead key={name} className={`static text-right ${WIDE_ONLY}`}>
              {name}
            </TableHead>
          ))}
          <TableHead className="static text-right">Closing</TableHead>
        </tr>
      </thead>
      <tbody>
        {statements.map((statement) => (
          <StatementRow key={statement.date} statement={statement} />
        ))}
      </tbody>
    </Table>
  );
}

function StatementRow({ statement }: { statement: DailyStatement }) {
  const { date, opening, deposits, withdrawals, adjustments, staked, paid, closing } = statement;
  return (
    <tr>
      <TableCell>
        {dateLabel(date)}
        <span className="block text-12 text-ink-3 lg:hidden">{changesText(statement)}</span>
      </TableCell>
      <TableCell className="text-right max-sm:hidden">{formatWire(opening)}</TableCell>
      {Object.entries({ deposits, withdrawals, adjustments, staked, paid }).map(([name, amount]) => (
        <TableCell key={name} className={`text-right ${WIDE_ONLY}`}>
          {isNothing(amount) ? <span className="text-ink-3">–</span> : formatWire(amount)}
        </TableCell>
      ))}
      <TableCell className="text-right font-semibold">{formatWire(closing)}</TableCell>
    </tr>
  );
}
