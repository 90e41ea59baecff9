// Withdrawal requests: money that has left a balance and awaits a decision.

import { useState } from "react";
import { useUser } from "@/api/session";
import { Button, EmptyState, Panel } from "@/components";
import { Ago } from "@/components/ago";
import { currencyLabel } from "@/lib/currencies";
import { centsOf, formatDollars } from "@/lib/money";
import { delayReasonsText } from "@/lib/withdrawal-delay";
import type { AdminWithdrawal } from "../api/admin";
import { type AdminPages, useAdminList } from "../api/admin-pages";
import { useApproval } from "../approvals/use-approval";
import { FailedDialog, SentDialog, SimpleDialog } from "../decisions/payout-dialogs";
import { ApproveDialog, RejectDialog } from "../decisions/withdrawal-dialogs";
import { LongText, UserLink, StateBadge, DateTime } from "../lists/cells";
import { asLabel } from "../lists/wording";
import { ClearFilters, Filter, ListBar, SearchBox } from "../lists/list-bar";
import { type Column, focusRecord, RecordList, RecordTable } from "../lists/record-list";
import { useChoice, useSearch } from "../lists/url-state";
import { usePermission } from "../permissions";
import { PayoutBadge, PayoutDetails, Risk, Totals } from "../withdrawals/payout-cell";
import { filterOf, type Payout, SORTS, type Status, STATUSES } from "../withdrawals/wording";

type Action = "approve" | "reject" | "sent" | "confirmed" | "failed" | "returned";
type OpenDialog = { action: Action; request: AdminWithdrawal };

export default function WithdrawalsTab() {
  const search = useSearch();
  const status = useChoice("status", STATUSES);
  const sort = useChoice("sort", SORTS);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const me = useUser();
  const requests = useAdminList("withdraw-requests", {
    search: search.value,
    ...filterOf(status.value, sort.value),
  });
  return (
    <Panel title="Withdrawal Requests">
      <ListBar
        noun="withdrawal requests"
        list={requests.list}
        query={requests.query}
        isLoading={requests.isLoading}
        onRefresh={() => void requests.reload()}
      >
        <SearchBox label="Search by user, address or ID" search={search} />
        <Filter label="Status" value={status.value} onChoose={status.choose} options={STATUSES} />
        <Filter
          label="Order"
          value={sort.value}
          onChoose={sort.choose}
          // Only pending requests are sorted by risk and amount.
          options={status.value === "pending" ? SORTS : SORTS.slice(0, 2)}
        />
      </ListBar>
      <RecordList
        pages={requests}
        noun="withdrawal requests"
        empty={
          <EmptyState
            title={emptyTitle(status.value, search.value)}
            action={<ClearButton status={status} isFiltered={search.value !== ""} />}
          />
        }
      >
        {(rows) => (
          <RecordTable
            label="Withdrawal requests"
            columns={columnsFor(me?.id, setDialog)}
            rows={rows}
            keyOf={(request) => request.id}
          />
        )}
      </RecordList>
      <Decisions dialog={dialog} onClose={() => setDialog(null)} requests={requests} />
    </Panel>
  );
}

function emptyTitle(status: Status, search: string): string {
  if (search !== "") return "No withdrawal requests found matching your filters";
  const label = STATUSES.find(({ value }) => value === status)?.label.toLowerCase();
  return status === "all" ? "No withdrawal requests" : `No ${label} withdrawal requests`;
}

/** A decided request is only found among all requests. */
function ClearButton({ status, isFiltered }: { status: ReturnType<typeof useChoice<Status>>; isFiltered: boolean }) {
  if (status.value === "pending") return <Button onClick={() => status.choose("all")}>Show all requests</Button>;
  return isFiltered && <ClearFilters />;
}

type DecisionsProps = { dialog: OpenDialog | null; onClose(): void; requests: AdminPages<AdminWithdrawal> };

function Decisions({ dialog, onClose, requests }: DecisionsProps) {
  const approval = useApproval();
  if (dialog === null) return null;
  function reload() {
    onClose();
    void requests.reload().then(() => dialog && focusRecord(dialog.request.id));
  }
  const handlers = {
    request: dialog.request,
    onCancel: onClose,
    // A decided request stays in place until the list is reloaded, so that no other request's buttons move under the
    // pointer.
    onDone(request: AdminWithdrawal) {
      requests.replace((known) => known.id === request.id, request);
      onClose();
      focusRecord(request.id);
    },
    onProposed() {
      onClose();
      void approval.mutate();
      if (dialog) focusRecord(dialog.request.id);
    },
    onConflict: reload,
    onUnsure: reload,
  };
  switch (dialog.action) {
    case "approve":
      return <ApproveDialog {...handlers} />;
    case "reject":
      return <RejectDialog {...handlers} />;
    case "sent":
      return <SentDialog {...handlers} />;
    case "failed":
      return <FailedDialog {...handlers} />;
    case "confirmed":
    case "returned":
      return <SimpleDialog {...handlers} action={dialog.action} />;
  }
}

function columnsFor(myId: number | undefined, openDialog: (dialog: OpenDialog) => void): Column<AdminWithdrawal>[] {
  return [
    { name: "ID", cell: (request) => request.id },
    {
      name: "User",
      cell: (request) => (
        <>
          <UserLink id={request.userId} username={request.user.username} />
          <Totals totals={request.playerTotals} />
        </>
      ),
    },
    {
      name: "Amount",
      isNumber: true,
      cell: (request) => (
        <>
          <span className="font-semibold">{formatDollars(centsOf(request.amount))}</span>
          <span className="block whitespace-nowrap text-12 text-ink-3">
            net {formatDollars(centsOf(request.netAmount))}
          </span>
        </>
      ),
    },
    { name: "Currency", cell: (request) => currencyLabel(request.currency || "usd") },
    {
      name: "Wallet Address",
      isWide: true,
      className: "max-w-[210px] @max-[860px]:max-w-none",
      cell: (request) => <LongText text={request.walletAddress} label={`Copy the address of request ${request.id}`} />,
    },
    {
      name: "Status",
      cell: (request) => (
        <>
          {request.payout === null ? (
            <StateBadge state={request.status} />
          ) : (
            <PayoutBadge state={request.payout.state} />
          )}
          {request.status === "pending" && <Risk risk={request.risk} />}
          {request.status === "pending" && request.payableFrom !== null && (
            <span className="mt-1 block max-w-[24ch] text-12 text-ink-2">
              Delayed until <DateTime iso={request.payableFrom} />: {delayReasonsText(request.delayReasons)}
            </span>
          )}
          {request.payout !== null && <PayoutDetails payout={request.payout} currency={request.currency} />}
          {request.status !== "pending" && request.status !== "cancelled" && (
            <span className="mt-1 block text-12 text-ink-3">
              {asLabel(request.status)}{" "}
              {request.decidedBy === null ? "automatically" : `by ${request.decidedBy.username}`}
            </span>
          )}
          {request.reason !== null && (
            <span className="mt-1 block max-w-[24ch] break-words text-12 text-ink-3">{request.reason}</span>
          )}
        </>
      ),
    },
    {
      name: "Requested",
      cell: (request) => (
        <>
          <DateTime iso={request.createdAt} />
          <span className="block text-12">
            <Ago iso={request.createdAt} />
          </span>
        </>
      ),
    },
    {
      name: "Actions",
      isWide: true,
      cell: (request) => <Actions request={request} isOwn={request.userId === myId} openDialog={openDialog} />,
    },
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

type StepButton = { action: Action; label: string };
const SENT: StepButton = { action: "sent", label: "Mark as Sent" };
const ARRIVED: StepButton = { action: "confirmed", label: "Mark as Arrived" };
const FAILED: StepButton = { action: "failed", label: "Mark as Failed" };
const RETURN: StepButton = { action: "returned", label: "Return Amount" };

/** What an administrator can record next. */
function stepsOf(payout: Payout | null): StepButton[] {
  if (payout === null) return [];
  if (payout.state === "failed") return [RETURN];
  const stop = payout.canBeStopped ? [FAILED] : [];
  if (payout.method === "provider") return stop;
  if (payout.state === "claimed") return [SENT, ...stop];
  return payout.state === "sent" ? [ARRIVED, ...stop] : [];
}

function Actions({
  request,
  isOwn,
  openDialog,
}: {
  request: AdminWithdrawal;
  isOwn: boolean;
  openDialog(dialog: OpenDialog): void;
}) {
  const mayDecide = usePermission("decide_withdrawals");
  if (request.status === "cancelled") return <span className="text-13 text-ink-3">By the player</span>;
  const steps = stepsOf(request.payout);
  if (request.status !== "pending" && (steps.length === 0 || !mayDecide || isOwn))
    return <Decided iso={request.decidedAt} />;
  if (!mayDecide) return <span className="text-13 text-ink-3">A cashier or an owner decides</span>;
  if (isOwn) return <span className="text-13 text-ink-3">Your own request: another administrator must decide</span>;
  const what = `request ${request.id} of ${request.user.username}`;
  if (request.status !== "pending") {
    return (
      <div className="flex flex-wrap gap-2">
        {steps.map(({ action, label }) => (
          <Button
            key={action}
            size="small"
            aria-label={`${label}: ${what}`}
            onClick={() => openDialog({ action, request })}
          >
            {label}
          </Button>
        ))}
      </div>
    );
  }
  return (
    <div className="flex gap-2 @max-[520px]:justify-between">
      <Button size="small" aria-label={`Approve ${what}`} onClick={() => openDialog({ action: "approve", request })}>
        Approve
      </Button>
      <Button size="small" aria-label={`Reject ${what}`} onClick={() => openDialog({ action: "reject", request })}>
        Reject
      </Button>
    </div>
  );
}
