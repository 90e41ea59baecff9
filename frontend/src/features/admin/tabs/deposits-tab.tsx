// All deposits of all players.

import { Badge, EmptyState, Panel } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { centsOf, formatWire } from "@/lib/money";
import type { AdminDeposit } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { DateTime, ExactTime, LongText, PaymentLinks, StateBadge, UserLink, WholeText } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox, UpdatedAt } from "../lists/list-bar";
import { AmountRange, DateRange, useAmountRange, useDateRange } from "../lists/ranges";
import { RecordList } from "../lists/record-list";
import { type Column, type Detail, RecordTable } from "../lists/record-table";
import { useChoice, useSearch } from "../lists/url-state";
import { inWords } from "../lists/wording";

const STATUSES = [
  { value: "all", label: "All deposits" },
  { value: "pending", label: "Pending" },
  { value: "completed", label: "Completed" },
  { value: "failed", label: "Failed" },
  { value: "expired", label: "Expired" },
] as const;

/** Any status other than completed and pending is a failure. */
const shownState = (status: AdminDeposit["status"]): string =>
  status === "completed" || status === "pending" ? status : "failed";

/** What the status alone does not say: the provider's status, or that it expired. */
function statusNote({ status, externalStatus }: AdminDeposit): string | null {
  const note = externalStatus === null && status === "expired" ? "expired" : externalStatus;
  return note === shownState(status) ? null : note;
}

const COLUMNS: Column<AdminDeposit>[] = [
  { name: "ID", cell: (deposit) => deposit.id },
  {
    name: "User",
    card: "title",
    className: "max-w-[220px] truncate",
    cell: (deposit) => <UserLink id={deposit.userId} username={deposit.user.username} />,
  },
  {
    name: "Amount",
    isNumber: true,
    card: "value",
    cell: (deposit) => (
      <>
        {formatWire(deposit.amount)}
        {isCreditedOtherwise(deposit) && (
          <span className="block text-12 text-ink-3">credited {formatWire(deposit.creditedAmount)}</span>
        )}
      </>
    ),
  },
  { name: "Currency", cell: (deposit) => currencyLabel(deposit.currency) },
  {
    name: "Order ID",
    className: "max-w-[150px]",
    cell: (deposit) => <LongText text={deposit.orderId} label={`Copy the order ID of deposit ${deposit.id}`} />,
  },
  {
    name: "Status",
    card: "state",
    cell: (deposit) => (
      <span className="flex items-center gap-2">
        <StateBadge state={shownState(deposit.status)} />
        {deposit.isUnderReview && <Badge tone="notice">under review</Badge>}
        {statusNote(deposit) !== null && (
          <span className="text-12 text-ink-3 @max-[1000px]:hidden">{inWords(statusNote(deposit) ?? "")}</span>
        )}
      </span>
    ),
  },
  { name: "Date", card: "note", cell: (deposit) => <DateTime iso={deposit.createdAt} /> },
];

const isCreditedOtherwise = ({ amount, creditedAmount }: AdminDeposit): boolean =>
  creditedAmount !== amount && centsOf(creditedAmount) > 0;

function detailsOf(deposit: AdminDeposit): Detail[] {
  const note = statusNote(deposit);
  return [
    ["Currency", currencyLabel(deposit.currency)],
    ["Credited", formatWire(deposit.creditedAmount)],
    ["Order ID", <WholeText key="order" text={deposit.orderId} label={`Copy the order ID ${deposit.orderId}`} />],
    deposit.paymentIds.length === 0 ? null : ["Payments", <PaymentLinks key="payments" ids={deposit.paymentIds} />],
    ["Date", <ExactTime key="date" iso={deposit.createdAt} />],
    note === null ? null : ["Status at the provider", inWords(note)],
  ];
}

export default function DepositsTab() {
  const search = useSearch();
  const status = useChoice("status", STATUSES);
  const dates = useDateRange();
  const amounts = useAmountRange();
  const deposits = useAdminList("deposits", {
    search: search.value,
    status: status.value === "all" ? undefined : status.value,
    ...dates.query,
    ...amounts.query,
  });
  const inUse = dates.inUse + amounts.inUse;
  const isFiltered = search.value !== "" || status.value !== "all" || inUse > 0;
  return (
    <Panel title="Deposits" actions={<UpdatedAt atMs={deposits.loadedAtMs} />}>
      <ListBar
        noun="deposits"
        list={deposits.list}
        query={deposits.query}
        isLoading={deposits.isLoading}
        onRefresh={() => void deposits.reload()}
        savedAs="deposits"
        more={{
          inUse,
          filters: (
            <>
              <DateRange label="Date" range={dates} />
              <AmountRange range={amounts} />
            </>
          ),
        }}
      >
        <SearchBox label="Search by user, order or invoice" search={search} />
        <Filter label="Status" value={status.value} onChoose={status.choose} options={STATUSES} />
      </ListBar>
      <RecordList
        pages={deposits}
        noun="deposits"
        empty={
          <EmptyState title="No deposits found" action={isFiltered && <ClearFilters />}>
            {isFiltered ? "Nothing matches your filters." : undefined}
          </EmptyState>
        }
      >
        {(rows) => (
          <RecordTable
            label="Deposits"
            columns={COLUMNS}
            rows={rows}
            keyOf={(deposit) => deposit.id}
            nameOf={(deposit) => `deposit ${deposit.id}`}
            detailsOf={detailsOf}
          />
        )}
      </RecordList>
    </Panel>
  );
}
