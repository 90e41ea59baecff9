// Withdrawal requests: money that has left a balance and awaits a decision.

import { type ReactNode, useState } from "react";
import { useUser } from "@/api/session";
import { Button, EmptyState, Panel } from "@/components";
import { Ago } from "@/components/ago";
import { currencyLabel } from "@/lib/currencies";
import { useHotkeys } from "@/lib/hotkeys";
import { formatWire } from "@/lib/money";
import type { AdminWithdrawal } from "../api/admin";
import { type AdminPages, useAdminList } from "../api/admin-pages";
import { useApproval } from "../approvals/use-approval";
import { BulkDialog } from "../decisions/bulk-dialog";
import { DateTime, LongText, UserLink } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox } from "../lists/list-bar";
import { AmountRange, DateRange, useAmountRange, useDateRange } from "../lists/ranges";
import { focusRecord, RecordList } from "../lists/record-list";
import { type Column, type ColumnSort, RecordTable } from "../lists/record-table";
import { RowActions } from "../lists/row-actions";
import { onRow, rowKey } from "../lists/row-keys";
import { checkboxesFor, useSelection } from "../lists/selection";
import { useChoice, useSearch } from "../lists/url-state";
import { type LiveList, useLiveList } from "../live/live-list";
import { LiveUpdatedAt } from "../live/live-note";
import { signalsOf, usePendingWork, useRefreshPending } from "../live/pending-work";
import { usePermission } from "../permissions";
import { DecisionOf, type OpenDialog, useSteps } from "../withdrawals/decisions";
import { detailsOf, StatusCell } from "../withdrawals/payout-cell";
import { type Selection, SelectionBar } from "../withdrawals/selection-bar";
import { FailedPayments } from "../withdrawals/failed-payments";
import { filterOf, type Sort, sortsOf, type Status, STATUSES } from "../withdrawals/wording";

export default function WithdrawalsTab() {
  const search = useSearch();
  const status = useChoice("status", STATUSES);
  // Of an order that this list cannot have, nothing remains.
  const sort = useChoice("sort", sortsOf(status.value));
  const dates = useDateRange();
  const amounts = useAmountRange();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [bulk, setBulk] = useState<"approve" | "reject" | null>(null);
  const requests = useAdminList("withdraw-requests", {
    search: search.value,
    ...filterOf(status.value, sort.value),
    ...dates.query,
    ...amounts.query,
  });
  const canDecide = useCanDecide();
  const selection = useSelection(requests.entries.filter(canDecide));
  const live = useLiveWithdrawals(requests, dialog !== null || bulk !== null || selection.selected.length > 0);
  useDecisionKeys(requests.entries, canDecide, setDialog, selection.toggle);
  const inUse = dates.inUse + amounts.inUse;
  return (
    <Panel title="Withdrawal Requests" actions={<LiveUpdatedAt loadedAtMs={requests.loadedAtMs} live={live} />}>
      <ListBar
        noun="withdrawal requests"
        list={requests.list}
        query={requests.query}
        isLoading={requests.isLoading}
        onRefresh={() => void live.show()}
        savedAs="withdraw-requests"
        more={{
          inUse,
          filters: (
            <>
              <DateRange label="Requested" range={dates} />
              <AmountRange range={amounts} />
            </>
          ),
        }}
      >
        <SearchBox label="Search by user, address or ID" search={search} />
        <Filter label="Status" value={status.value} onChoose={status.choose} options={STATUSES} />
        <Filter label="Order" value={sort.value} onChoose={sort.choose} options={sortsOf(status.value)} />
      </ListBar>
      {status.value !== "failed" && <FailedPayments show={() => status.choose("failed")} />}
      <RecordList
        pages={requests}
        noun="withdrawal requests"
        empty={
          <EmptyState
            title={emptyTitle(status.value, search.value !== "" || inUse > 0)}
            action={<ClearButton status={status} isFiltered={search.value !== "" || inUse > 0} />}
          />
        }
      >
        {(rows) => (
          <div className="grid">
            <SelectionBar selection={selection} canSelect={rows.some(canDecide)} onDecide={setBulk} />
            <RecordTable
              label="Withdrawal requests"
              columns={columnsFor(sort, status.value, setDialog)}
              rows={rows}
              keyOf={(request) => request.id}
              nameOf={nameOf}
              detailsOf={detailsOf}
              area={live.area}
              selection={checkboxesFor(rows, canDecide, selection)}
            />
          </div>
        )}
      </RecordList>
      <Decisions dialog={dialog} onClose={() => setDialog(null)} requests={requests} live={live} />
      {bulk !== null && (
        <BulkDecisions
          action={bulk}
          selection={selection}
          onClose={() => setBulk(null)}
          requests={requests}
          live={live}
        />
      )}
    </Panel>
  );
}

/** Whether this administrator can decide a request now. */
function useCanDecide(): (request: AdminWithdrawal) => boolean {
  const me = useUser();
  const mayDecide = usePermission("decide_withdrawals");
  return ({ status, userId }) => mayDecide && status === "pending" && userId !== me?.id;
}

function useLiveWithdrawals({ reload }: AdminPages<AdminWithdrawal>, isBusy: boolean): LiveList {
  const { data } = usePendingWork();
  return useLiveList({ signal: signalsOf(data)?.withdrawals, reload, isBusy });
}

/** A and R open the dialog for the row with the focus, and X selects it. Nothing is decided by a key alone. */
function useDecisionKeys(
  rows: readonly AdminWithdrawal[],
  canDecide: (request: AdminWithdrawal) => boolean,
  openDialog: (dialog: OpenDialog) => void,
  select: (id: number) => void,
): void {
  const withRow = (act: (request: AdminWithdrawal) => void) => onRow(rows, canDecide, act);
  useHotkeys([
    rowKey(
      "a",
      "Approve the request",
      withRow((request) => openDialog({ action: "approve", request })),
    ),
    rowKey(
      "r",
      "Reject the request",
      withRow((request) => openDialog({ action: "reject", request })),
    ),
    rowKey(
      "x",
      "Select the request",
      withRow((request) => select(request.id)),
    ),
  ]);
}

function emptyTitle(status: Status, isFiltered: boolean): string {
  if (isFiltered) return "No withdrawal requests found matching your filters";
  const label = STATUSES.find(({ value }) => value === status)?.label.toLowerCase();
  return status === "all" ? "No withdrawal requests" : `No ${label} withdrawal requests`;
}

/** A decided request is only found among all requests. */
function ClearButton({ status, isFiltered }: { status: ReturnType<typeof useChoice<Status>>; isFiltered: boolean }) {
  if (status.value === "pending") return <Button onClick={() => status.choose("all")}>Show all requests</Button>;
  return isFiltered && <ClearFilters />;
}

type Shared = { onClose(): void; requests: AdminPages<AdminWithdrawal>; live: LiveList };
type BulkDecisionsProps = Shared & { action: "approve" | "reject"; selection: Selection };

function BulkDecisions({ action, selection, onClose, requests, live }: BulkDecisionsProps) {
  const approval = useApproval();
  const refreshPending = useRefreshPending();
  return (
    <BulkDialog
      action={action}
      requests={selection.selected}
      onDecided={(request) => {
        live.noteAct();
        requests.replace((known) => known.id === request.id, request);
      }}
      onClose={(isChanged) => {
        onClose();
        if (!isChanged) return;
        selection.clear();
        void approval.mutate();
        refreshPending();
      }}
    />
  );
}

function Decisions({ dialog, onClose, requests, live }: Shared & { dialog: OpenDialog | null }) {
  const approval = useApproval();
  const refreshPending = useRefreshPending();
  if (dialog === null) return null;
  const { action, request } = dialog;
  const focusRow = () => focusRecord(request.id);
  function reload() {
    onClose();
    void requests.reload().then(focusRow);
  }
  const handlers = {
    request,
    onCancel() {
      onClose();
      focusRow();
    },
    // A decided request stays in place until the list is reloaded, so that no other request's buttons move under the
    // pointer.
    onDone(decided: AdminWithdrawal) {
      live.noteAct(request.status === "pending");
      requests.replace((known) => known.id === decided.id, decided);
      onClose();
      refreshPending();
      focusRow();
    },
    onProposed() {
      onClose();
      refreshPending();
      void approval.mutate();
      focusRow();
    },
    onConflict: reload,
    onUnsure: reload,
  };
  return <DecisionOf {...handlers} action={action} />;
}

type Sorting = ReturnType<typeof useChoice<Sort>>;

/** By time in both directions; by amount only what is pending. */
function sortsFor(sort: Sorting, status: Status): { time: ColumnSort; amount: ColumnSort | undefined } {
  const times: Partial<Record<Sort, ColumnSort["direction"]>> = { newest: "descending", oldest: "ascending" };
  return {
    time: {
      direction: times[sort.value] ?? null,
      onSort: () => sort.choose(sort.value === "newest" ? "oldest" : "newest"),
    },
    amount:
      status === "pending"
        ? { direction: sort.value === "amount" ? "descending" : null, onSort: () => sort.choose("amount") }
        : undefined,
  };
}

const nameOf = (request: AdminWithdrawal): string => `request ${request.id} of ${request.user.username}`;

function columnsFor(
  sort: Sorting,
  status: Status,
  openDialog: (dialog: OpenDialog) => void,
): Column<AdminWithdrawal>[] {
  const sorts = sortsFor(sort, status);
  return [
    { name: "ID", cell: (request) => request.id },
    {
      name: "User",
      card: "title",
      className: "max-w-[200px] truncate",
      cell: (request) => <UserLink id={request.userId} username={request.user.username} />,
    },
    {
      name: "Amount",
      isNumber: true,
      card: "value",
      sort: sorts.amount,
      cell: (request) => (
        <>
          <span className="font-semibold">{formatWire(request.amount)}</span>
          <span className="ml-2 text-12 text-ink-3 @max-[1240px]:hidden">net {formatWire(request.netAmount)}</span>
        </>
      ),
    },
    { name: "Currency", cell: (request) => currencyLabel(request.currency || "usd") },
    {
      name: "Wallet Address",
      className: "max-w-[150px]",
      cell: (request) => <LongText text={request.walletAddress} label={`Copy the address of request ${request.id}`} />,
    },
    { name: "Status", card: "state", className: "max-w-[240px]", cell: (request) => <StatusCell request={request} /> },
    {
      name: "Requested",
      card: "note",
      sort: sorts.time,
      cell: (request) => (
        <>
          <span className="text-ink-2 @min-[1000px]:hidden">{currencyLabel(request.currency || "usd")}, </span>
          <Ago iso={request.createdAt} />
        </>
      ),
    },
    { name: "Actions", card: "actions", cell: (request) => <Actions request={request} openDialog={openDialog} /> },
  ];
}

function Decided({ iso }: { iso: string | null }) {
  if (iso === null) return <span className="text-13 text-ink-3">Decided</span>;
  return (
    <span className="text-13 text-ink-3">
      Decided <DateTime iso={iso} className="text-ink-3" />
    </span>
  );
}

function Actions({ request, openDialog }: { request: AdminWithdrawal; openDialog(dialog: OpenDialog): void }) {
  const { steps, hindrance } = useSteps(request);
  if (hindrance !== null) return <Note>{hindrance}</Note>;
  if (steps.length === 0) return <Decided iso={request.decidedAt} />;
  const what = nameOf(request);
  return (
    <RowActions
      of={what}
      actions={steps.map(({ action, label }) => ({
        label,
        name: request.status === "pending" ? `${label} ${what}` : `${label}: ${what}`,
        run: () => openDialog({ action, request }),
      }))}
    />
  );
}

function Note({ children }: { children: ReactNode }) {
  return <span className="block max-w-[24ch] whitespace-normal text-12 text-ink-3">{children}</span>;
}
