import { Badge, Button, TableCell } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { formatDateTime } from "@/lib/format";
import { centsOf, formatDollars } from "@/lib/money";
import { type Deposit, isOpen, type OpenDeposit } from "./api/wallet";
import { useDeposits } from "./api/wallet-lists";
import { Note, type RecordColumn, RecordList } from "./record-list";

const COLUMNS: readonly RecordColumn[] = [
  { name: "Amount" },
  { name: "Currency", className: "max-md:hidden" },
  { name: "Credited", className: "text-right max-md:hidden" },
  { name: "Status", className: "max-md:text-right" },
  { name: "Created", className: "max-md:hidden" },
  { name: "Completed", className: "max-md:hidden" },
  { name: "Reopen", className: "max-md:hidden", isHidden: true },
];

/** The player's deposits. Unpaid ones can be reopened. */
export function DepositList({ onReopen }: { onReopen(deposit: OpenDeposit): void }) {
  return (
    <RecordList
      title="Deposits"
      pages={useDeposits()}
      emptyTitle="No deposits yet"
      empty="Your deposits and their status appear here."
      errorTitle="Failed to load your deposits"
      columns={COLUMNS}
    >
      {(deposit) => <DepositRow key={deposit.id} deposit={deposit} onReopen={onReopen} />}
    </RecordList>
  );
}

function DepositRow({ deposit, onReopen }: { deposit: Deposit; onReopen(deposit: OpenDeposit): void }) {
  const amount = formatDollars(centsOf(deposit.amount));
  const credited = formatDollars(centsOf(deposit.creditedAmount));
  const created = formatDateTime(deposit.createdAt);
  const completed = deposit.completedAt === null ? null : formatDateTime(deposit.completedAt);
  const reopen = isOpen(deposit) && (
    <Button
      size="small"
      onClick={() => onReopen(deposit)}
      aria-label={`Reopen the deposit of ${amount} from ${created}`}
    >
      Reopen
    </Button>
  );
  return (
    <tr className="align-top">
      <TableCell>
        <span className="font-medium">{amount}</span>
        <span className="block md:hidden">
          <Note>
            {currencyLabel(deposit.currency)}, credited {credited}
          </Note>
          <Note>{created}</Note>
          {completed !== null && <Note>Completed {completed}</Note>}
          <Details deposit={deposit} />
        </span>
      </TableCell>
      <TableCell className="text-ink-2 max-md:hidden">{currencyLabel(deposit.currency)}</TableCell>
      <TableCell className="text-right max-md:hidden">{credited}</TableCell>
      <TableCell className="max-md:text-right">
        <StatusBadge status={deposit.status} />
        <span className="max-md:hidden">
          <Details deposit={deposit} />
        </span>
        <span className="mt-3 block md:hidden">{reopen}</span>
      </TableCell>
      <TableCell className="text-ink-2 max-md:hidden">{created}</TableCell>
      <TableCell className="text-ink-2 max-md:hidden">{completed ?? "–"}</TableCell>
      <TableCell className="text-right max-md:hidden">{reopen}</TableCell>
    </tr>
  );
}

/** The provider's statuses in words, where they say more than the deposit's own status. */
const DETAILS: Readonly<Record<string, string>> = {
  confirming: "Confirming",
  confirmed: "Confirming",
  sending: "Confirming",
  partially_paid: "Partially paid",
  expired: "No payment arrived in time",
  refunded: "Refunded",
};

function StatusBadge({ status }: { status: Deposit["status"] }) {
  if (status === "completed") return <Badge tone="win">Completed</Badge>;
  return status === "pending" ? <Badge tone="info">Pending</Badge> : <Badge tone="notice">Failed</Badge>;
}

function Details({ deposit }: { deposit: Deposit }) {
  const detail = deposit.status === "completed" ? undefined : DETAILS[deposit.externalStatus ?? deposit.status];
  return (
    <>
      {detail !== undefined && <Note>{detail}</Note>}
      {deposit.isUnderReview && <Note>A payment for it is under review</Note>}
    </>
  );
}
