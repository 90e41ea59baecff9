import { Suspense } from "react";
import { Badge, TableCell } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { formatDateTime } from "@/lib/format";
import { lazyPart } from "@/lib/lazy-part";
import { centsOf, formatDollars } from "@/lib/money";
import { delayReasonsText } from "@/lib/withdrawal-delay";
import type { Withdrawal } from "./api/wallet";
import { useWithdrawals } from "./api/wallet-lists";
import { Note, type RecordColumn, RecordList } from "./record-list";

// Few players have a pending withdrawal.
const CancelWithdrawal = lazyPart(() => import("./cancel-withdrawal"));

const COLUMNS: readonly RecordColumn[] = [
  { name: "Amount" },
  { name: "Fee", className: "text-right max-md:hidden" },
  { name: "You receive", className: "text-right max-md:hidden" },
  { name: "To", className: "max-md:hidden" },
  { name: "Status", className: "max-md:text-right" },
  { name: "Requested", className: "max-md:hidden" },
  { name: "Decided", className: "max-md:hidden" },
];

/** The player's withdrawal requests and their decisions. */
export function WithdrawalList() {
  return (
    <RecordList
      title="Withdrawals"
      pages={useWithdrawals()}
      emptyTitle="No withdrawals yet"
      empty="Your requests and their status appear here."
      errorTitle="Failed to load your withdrawals"
      columns={COLUMNS}
    >
      {(withdrawal) => <WithdrawalRow key={withdrawal.id} withdrawal={withdrawal} />}
    </RecordList>
  );
}

function WithdrawalRow({ withdrawal }: { withdrawal: Withdrawal }) {
  const [amount, fee, net] = [withdrawal.amount, withdrawal.fee, withdrawal.netAmount].map((wire) =>
    formatDollars(centsOf(wire)),
  );
  const requested = formatDateTime(withdrawal.createdAt);
  const decided = withdrawal.decidedAt === null ? null : formatDateTime(withdrawal.decidedAt);
  const target = (
    <>
      {currencyLabel(withdrawal.currency)}
      <span className="block break-all text-13 text-ink-3">{withdrawal.walletAddress}</span>
    </>
  );
  return (
    <tr className="align-top">
      <TableCell>
        <span className="font-medium">{amount}</span>
        <span className="block md:hidden">
          <Note>
            Fee {fee}, you receive {net}
          </Note>
          <Note>{requested}</Note>
          {decided !== null && <Note>Decided {decided}</Note>}
          <span className="block pt-2">{target}</span>
          <Delay withdrawal={withdrawal} />
          <Reason withdrawal={withdrawal} />
        </span>
      </TableCell>
      <TableCell className="text-right max-md:hidden">{fee}</TableCell>
      <TableCell className="text-right max-md:hidden">{net}</TableCell>
      <TableCell className="max-w-[240px] text-ink-2 max-md:hidden">{target}</TableCell>
      <TableCell className="max-md:text-right">
        <StatusBadge withdrawal={withdrawal} />
        <PayoutNote withdrawal={withdrawal} />
        {withdrawal.status === "pending" && (
          <span className="block pt-2">
            <Suspense fallback={null}>
              <CancelWithdrawal withdrawal={withdrawal} />
            </Suspense>
          </span>
        )}
        <span className="max-md:hidden">
          <Delay withdrawal={withdrawal} />
          <Reason withdrawal={withdrawal} />
        </span>
      </TableCell>
      <TableCell className="text-ink-2 max-md:hidden">{requested}</TableCell>
      <TableCell className="text-ink-2 max-md:hidden">{decided ?? "–"}</TableCell>
    </tr>
  );
}

const PAYOUT_BADGES = {
  claimed: <Badge tone="info">Approved</Badge>,
  sent: <Badge tone="info">Sent</Badge>,
  confirmed: <Badge tone="win">Paid</Badge>,
  // The house looks into it.
  failed: <Badge tone="info">Being checked</Badge>,
  returned: <Badge tone="notice">Returned</Badge>,
} as const;

function StatusBadge({ withdrawal: { status, payout } }: { withdrawal: Withdrawal }) {
  if (payout !== null) return PAYOUT_BADGES[payout.state];
  if (status === "pending") return <Badge tone="info">Pending</Badge>;
  if (status === "cancelled") return <Badge>Cancelled</Badge>;
  return status === "approved" ? <Badge tone="win">Approved</Badge> : <Badge tone="notice">Rejected</Badge>;
}

/** What was sent, and where it can be looked up. */
function PayoutNote({ withdrawal: { payout, currency } }: { withdrawal: Withdrawal }) {
  if (payout === null) return null;
  const { state, coinAmount, transactionId, transactionUrl } = payout;
  return (
    <span className="grid gap-0.5 pt-1 max-md:justify-items-end">
      {coinAmount !== null && state !== "returned" && (
        <Note>
          {coinAmount} {currencyLabel(currency)}
        </Note>
      )}
      {state === "returned" && <Note>It could not be paid. The amount is back in your balance.</Note>}
      {transactionUrl === null ? (
        transactionId !== null && (
          <span className="max-w-[20ch] truncate font-mono text-12 text-ink-3" title={transactionId}>
            {transactionId}
          </span>
        )
      ) : (
        <a
          href={transactionUrl}
          target="_blank"
          rel="noreferrer"
          className="whitespace-nowrap text-13 underline underline-offset-4"
        >
          View transaction
        </a>
      )}
    </span>
  );
}

/** Why and until when a pending withdrawal is delayed. */
function Delay({ withdrawal: { status, payableFrom, delayReasons } }: { withdrawal: Withdrawal }) {
  if (payableFrom === null || status !== "pending") return null;
  return (
    <span className="block max-w-[36ch] pt-1">
      <Note>
        Can be approved from {formatDateTime(payableFrom)}, because {delayReasonsText(delayReasons)}.
      </Note>
    </span>
  );
}

function Reason({ withdrawal: { status, reason } }: { withdrawal: Withdrawal }) {
  if (status === "pending" || status === "approved") return null;
  return (
    <span className="block max-w-[36ch] pt-1 text-13 text-ink-2">
      {reason !== null && `Reason: ${reason}`}
      <Note>The amount is back in your balance.</Note>
    </span>
  );
}
