// The audit log: who did what to whom. It is read-only.

import { EmptyState, Panel } from "@/components";
import type { AdminLog } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { DateTime, ExactTime, UserLink, WholeText } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox, UpdatedAt } from "../lists/list-bar";
import { DateRange, useDateRange } from "../lists/ranges";
import { RecordList } from "../lists/record-list";
import { type Column, type Detail, RecordTable } from "../lists/record-table";
import { useAdminView, useSearch } from "../lists/url-state";

const ALL = { value: "all", label: "All actions" };

export const ACTIONS: Record<AdminLog["action"], string> = {
  administrator_created: "Administrator created",
  administrator_granted: "Administrator granted",
  administrator_revoked: "Administrator revoked",
  password_reset: "Password reset",
  second_factor_reset: "Second factor reset",
  account_closed: "Account closed",
  account_reopened: "Account reopened",
  account_pseudonymised: "Account pseudonymised",
  user_banned: "User banned",
  user_unbanned: "User unbanned",
  balance_override: "Balance override",
  withdrawal_approved: "Withdrawal approved",
  withdrawal_approved_automatically: "Withdrawal approved automatically",
  withdrawal_rejected: "Withdrawal rejected",
  payout_sent: "Payment marked as sent",
  payout_confirmed: "Payment marked as arrived",
  payout_failed: "Payment marked as failed",
  payout_stopped: "Payment stopped",
  payout_returned: "Amount returned",
  withdrawal_restated: "Withdrawal restated",
  payment_confirmed: "Payment confirmed",
  review_resolved: "Review resolved",
  alert_acknowledged: "Alert acknowledged",
  audit_key_introduced: "Audit key introduced",
  audit_key_changed: "Audit key changed",
  list_exported: "List exported",
  game_status: "Game status",
  game_limits: "Game limits",
  player_noted: "Note",
  sessions_ended: "Sessions ended",
  house_switch: "House switch",
  betting_blocked: "Betting blocked",
  betting_unblocked: "Betting unblocked",
  withdrawing_blocked: "Withdrawing blocked",
  withdrawing_unblocked: "Withdrawing unblocked",
  proposal_made: "Proposal made",
  proposal_approved: "Proposal approved",
  proposal_refused: "Proposal refused",
  proposal_withdrawn: "Proposal withdrawn",
  thresholds_changed: "Thresholds changed",
  terms_published: "Terms published",
  signed_in: "Signed in",
  sign_in_refused: "Sign-in refused",
  signed_out: "Signed out",
  session_confirmed: "Session confirmed",
  confirmation_refused: "Confirmation refused",
  personal_data_viewed: "Personal data viewed",
};
const OPTIONS = [ALL, ...Object.entries(ACTIONS).map(([value, label]) => ({ value, label }))];

/** Who did something, if it was no administrator. */
function actorOf({ action }: AdminLog): string {
  if (action === "sign_in_refused") return "Unknown";
  return action === "withdrawal_approved_automatically" ? "Automatic" : "Command line";
}

const COLUMNS: Column<AdminLog>[] = [
  { name: "ID", cell: (log) => log.id },
  {
    name: "Admin ID",
    card: "note",
    className: "max-w-[180px] truncate @max-[1000px]:col-span-2 @max-[1000px]:max-w-none",
    cell: (log) => (
      <>
        {log.adminId === null ? (
          <span className="text-ink-2">{actorOf(log)}</span>
        ) : (
          <UserLink id={log.adminId} username={log.adminUsername} />
        )}
        {log.targetUserId !== null && (
          <span className="@min-[1000px]:hidden">
            {" "}
            <span aria-hidden>→</span> <UserLink id={log.targetUserId} username={log.targetUsername} />
          </span>
        )}
      </>
    ),
  },
  { name: "Action", card: "title", cell: (log) => ACTIONS[log.action] },
  {
    name: "Target User",
    className: "max-w-[180px] truncate",
    cell: (log) =>
      log.targetUserId === null ? (
        <span className="text-ink-3">none</span>
      ) : (
        <UserLink id={log.targetUserId} username={log.targetUsername} />
      ),
  },
  {
    name: "Details",
    className: "max-w-[340px]",
    cell: (log) => (
      <span className="flex items-baseline gap-3">
        <span className="min-w-0 truncate" title={log.details}>
          {log.details}
        </span>
        {log.address !== null && <span className="text-12 text-ink-3">from {log.address}</span>}
      </span>
    ),
  },
  { name: "Date", card: "value", className: "@max-[1000px]:text-13", cell: (log) => <DateTime iso={log.createdAt} /> },
];

const detailsOf = (log: AdminLog): Detail[] => [
  ["Details", log.details],
  ["Date", <ExactTime key="date" iso={log.createdAt} />],
  log.address === null ? null : ["From", log.address],
  log.hash === null ? null : ["Hash", <Hash key="hash" id={log.id} hash={log.hash} />],
];

/** The hash allows comparison with the output of `glasshouse check`. */
function Hash({ id, hash }: { id: number; hash: string }) {
  return <WholeText text={hash} label={`Copy the hash of log ${id}`} />;
}

export default function LogsTab() {
  const { valueOf, setFilters } = useAdminView();
  const search = useSearch();
  const action = valueOf("action");
  const dates = useDateRange();
  const logs = useAdminList("logs", { search: search.value, action, ...dates.query });
  const isFiltered = search.value !== "" || action !== "" || dates.inUse > 0;
  return (
    <Panel title="Admin Logs" actions={<UpdatedAt atMs={logs.loadedAtMs} />}>
      <ListBar
        noun="logs"
        list={logs.list}
        query={logs.query}
        isLoading={logs.isLoading}
        onRefresh={() => void logs.reload()}
        savedAs="logs"
        more={{ inUse: dates.inUse, filters: <DateRange label="Date" range={dates} /> }}
      >
        <SearchBox label="Search by administrator or target" search={search} />
        <Filter
          label="Action"
          value={action === "" ? ALL.value : action}
          onChoose={(next) => setFilters({ action: next === ALL.value ? "" : next })}
          options={OPTIONS}
        />
      </ListBar>
      <RecordList
        pages={logs}
        noun="logs"
        empty={
          <EmptyState title="No admin logs found" action={isFiltered && <ClearFilters />}>
            {isFiltered ? "Nothing matches your filters." : undefined}
          </EmptyState>
        }
      >
        {(rows) => (
          <RecordTable
            label="Admin logs"
            columns={COLUMNS}
            rows={rows}
            keyOf={(log) => log.id}
            nameOf={(log) => `log ${log.id}`}
            detailsOf={detailsOf}
          />
        )}
      </RecordList>
    </Panel>
  );
}
