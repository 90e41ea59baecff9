// All deposits of all players.

import { Badge, EmptyState, Panel } from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { centsOf, formatDollars } from "@/lib/money";
import type { AdminDeposit } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { LongText, UserLink, StateBadge, DateTime } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox } from "../lists/list-bar";
import { type Column, RecordList, RecordTable } from "../lists/record-list";
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
  { name: "User", cell: (deposit) => <UserLink id={deposit.userId} username={deposit.user.username} /> },
  {
    name: "Amount",
    isNumber: true,
    cell: (deposit) => (
      <>
        {formatDollars(centsOf(deposit.amount))}
        {deposit.creditedAmount !== deposit.amount && centsOf(deposit.creditedAmount) > 0 && (
          <span className="block text-12 text-ink-3">credited {formatDollars(centsOf(deposit.creditedAmount))}</span>
        )}
      </>
    ),
  },
  { name: "Currency", cell: (deposit) => currencyLabel(deposit.currency) },
  {
    name: "Order ID",
    isWide: true,
    className: "max-w-[240px] @max-[860px]:max-w-none",
    cell: (deposit) => <LongText text={deposit.orderId} label={`Copy the order ID of deposit ${deposit.id}`} />,
  },
  {
    name: "Status",
    cell: (deposit) => (
      <>
        <span className="flex flex-wrap gap-1">
          <StateBadge state={shownState(deposit.status)} />
          {deposit.isUnderReview && <Badge>under review</Badge>}
        </span>
        {statusNote(deposit) !== null && (
          <span className="mt-1 block text-12 text-ink-3">{inWords(statusNote(deposit) ?? "")}</span>
        )}
      </>
    ),
  },
  { name: "Date", cell: (deposit) => <DateTime iso={deposit.createdAt} /> },
];

export default function DepositsTab() {
  const search = useSearch();
  const status = useChoice("status", STATUSES);
  const deposits = useAdminList("deposits", {
    search: search.value,
    status: status.value === "all" ? undefined : status.value,
  });
  const isFiltered = search.value !== "" || status.value !== "all";
  return (
    <Panel title="Deposits">
      <ListBar
        noun="deposits"
        list={deposits.list}
        query={deposits.query}
        isLoading={deposits.isLoading}
        onRefresh={() => void deposits.reload()}
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
        {(rows) => <RecordTable label="Deposits" columns={COLUMNS} rows={rows} keyOf={(deposit) => deposit.id} />}
      </RecordList>
    </Panel>
  );
}
