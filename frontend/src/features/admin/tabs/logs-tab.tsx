// The audit log: who did what to whom. It can be read, never changed.

import { useState } from "react";
import { CopyButton, EmptyState, Panel } from "@/components";
import type { AdminLog } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { Person, When } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox } from "../lists/list-bar";
import { type Column, RecordList, RecordTable } from "../lists/record-list";
import { useAdminView, useSearch } from "../lists/url-state";
import { asLabel } from "../lists/wording";

const ALL = { value: "all", label: "All actions" };

const COLUMNS: Column<AdminLog>[] = [
  { name: "ID", cell: (log) => log.id },
  {
    name: "Admin ID",
    cell: (log) =>
      log.adminId === null ? (
        <span className="text-ink-2">Command line</span>
      ) : (
        <Person id={log.adminId} username={log.adminUsername} />
      ),
  },
  { name: "Action", className: "@min-[860px]:whitespace-nowrap", cell: (log) => asLabel(log.action) },
  {
    name: "Target User",
    cell: (log) =>
      log.targetUserId === null ? (
        <span className="text-ink-3">none</span>
      ) : (
        <Person id={log.targetUserId} username={log.targetUsername} />
      ),
  },
  { name: "Details", isWide: true, cell: (log) => <Details log={log} /> },
  { name: "Date", isWide: true, cell: (log) => <When iso={log.createdAt} /> },
];

/** What was done, with the old and the new value, and where from. */
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

const HASH_SHOWN = 12;

/** By the hash, what `glasshouse check` says of the log can be compared with it. */
function Hash({ id, hash }: { id: number; hash: string }) {
  return (
    <span className="inline-flex items-center">
      <span className="sr-only">Hash </span>
      <code className="font-mono" title={hash}>
        {hash.slice(0, HASH_SHOWN)}…
      </code>
      <span className="-my-3">
        <CopyButton text={hash} label={`Copy the hash of log ${id}`} />
      </span>
    </span>
  );
}

/** The actions that can be chosen: those that were met so far, and the one that is chosen. */
function useActions(rows: readonly AdminLog[], chosen: string) {
  const [known, setKnown] = useState<readonly string[]>([]);
  const met = [chosen, ...rows.map((log) => log.action)].filter((action) => action !== "" && !known.includes(action));
  if (met.length > 0) setKnown([...known, ...new Set(met)].toSorted());
  return [ALL, ...known.map((action) => ({ value: action, label: asLabel(action) }))];
}

export default function LogsTab() {
  const { valueOf, narrow } = useAdminView();
  const search = useSearch();
  const action = valueOf("action");
  const logs = useAdminList("logs", { search: search.value, action });
  const isNarrowed = search.value !== "" || action !== "";
  const options = useActions(logs.entries, action);
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
          onChoose={(next) => narrow({ action: next === ALL.value ? "" : next })}
          options={options}
        />
      </ListBar>
      <RecordList
        pages={logs}
        noun="logs"
        empty={
          <EmptyState title="No admin logs found" action={isNarrowed && <ClearFilters />}>
            {isNarrowed ? "None of them matches your filters." : undefined}
          </EmptyState>
        }
      >
        {(rows) => <RecordTable label="Admin logs" columns={COLUMNS} rows={rows} keyOf={(log) => log.id} />}
      </RecordList>
    </Panel>
  );
}
