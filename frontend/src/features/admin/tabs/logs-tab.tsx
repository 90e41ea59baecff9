// The audit log: who did what to whom. It is read-only.

import { CopyButton, EmptyState, Panel } from "@/components";
import type { AdminLog } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { UserLink, DateTime } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox } from "../lists/list-bar";
import { type Column, RecordList, RecordTable } from "../lists/record-list";
import { useAdminView, useSearch } from "../lists/url-state";

const ALL = { value: "all", label: "All actions" };

const ACTIONS: Record<AdminLog["action"], string> = {
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
  payout_returned: "Amount returned",
  withdrawal_restated: "Withdrawal restated",
  payment_confirmed: "Payment confirmed",
  review_resolved: "Review resolved",
  audit_key_introduced: "Audit key introduced",
  audit_key_changed: "Audit key changed",
  list_exported: "List exported",
  game_status: "Game status",
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

const COLUMNS: Column<AdminLog>[] = [
  { name: "ID", cell: (log) => log.id },
  {
    name: "Admin ID",
    cell: (log) =>
      log.adminId === null ? (
        <span className="text-ink-2">{log.action === "sign_in_refused" ? "Unknown" : "Command line"}</span>
      ) : (
        <UserLink id={log.adminId} username={log.adminUsername} />
      ),
  },
  { name: "Action", className: "@min-[860px]:whitespace-nowrap", cell: (log) => ACTIONS[log.action] },
  {
    name: "Target User",
    cell: (log) =>
      log.targetUserId === null ? (
        <span className="text-ink-3">none</span>
      ) : (
        <UserLink id={log.targetUserId} username={log.targetUsername} />
      ),
  },
  { name: "Details", isWide: true, cell: (log) => <Details log={log} /> },
  { name: "Date", isWide: true, cell: (log) => <DateTime iso={log.createdAt} /> },
];

/** What changed, and from which address. */
function Details({ log }: { log: AdminLog }) {
  return (
    <div className="max-w-[60ch] break-words">
      {log.details}
      <div className="mt-0.5 flex flex-wrap items-center gap-x-4 text-12 text-ink-3">
        {log.address !== null && <span>from {log.address}</span>}
        {log.hash !== null && <Hash id={log.id} hash={log.hash} />}
      </div>
    </div>
  );
}

const HASH_PREFIX_LENGTH = 12;

/** The hash allows comparison with the output of `glasshouse check`. */
function Hash({ id, hash }: { id: number; hash: string }) {
  return (
    <span className="inline-flex items-center">
      <span className="sr-only">Hash </span>
      <code className="font-mono" title={hash}>
        {hash.slice(0, HASH_PREFIX_LENGTH)}…
      </code>
      <span className="-my-3">
        <CopyButton text={hash} label={`Copy the hash of log ${id}`} />
      </span>
    </span>
  );
}

export default function LogsTab() {
  const { valueOf, setFilters } = useAdminView();
  const search = useSearch();
  const action = valueOf("action");
  const logs = useAdminList("logs", { search: search.value, action });
  const isFiltered = search.value !== "" || action !== "";
  return (
    <Panel title="Admin Logs">
      <ListBar
        noun="logs"
        list={logs.list}
        query={logs.query}
        isLoading={logs.isLoading}
        onRefresh={() => void logs.reload()}
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
        {(rows) => <RecordTable label="Admin logs" columns={COLUMNS} rows={rows} keyOf={(log) => log.id} />}
      </RecordList>
    </Panel>
  );
}
