// What the operator was alerted to, what became of the messages about it, and who takes care of it.

import type { ReactNode } from "react";
import { Button, EmptyState, Panel } from "@/components";
import { counted } from "@/lib/format";
import { useHotkeys } from "@/lib/hotkeys";
import { type AlertKind, KIND_NAMES } from "../alerts/wording";
import { columnsFor, detailsOf, nameOf } from "../alerts/columns";
import { useAcknowledge } from "../alerts/use-acknowledge";
import type { AdminAlert } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { ClearFilters, Filter, ListBar } from "../lists/list-bar";
import { DateRange, useDateRange } from "../lists/ranges";
import { focusRecord, RecordList } from "../lists/record-list";
import { RecordTable } from "../lists/record-table";
import { onRow, rowKey } from "../lists/row-keys";
import { checkboxesFor, useSelection } from "../lists/selection";
import { SelectionBar } from "../lists/selection-bar";
import { useChoice } from "../lists/url-state";
import { useLiveList } from "../live/live-list";
import { LiveUpdatedAt } from "../live/live-note";
import { signalsOf, usePendingWork, useRefreshPending } from "../live/pending-work";
import { usePermission } from "../permissions";

const KINDS: readonly { value: AlertKind | "all"; label: string }[] = [
  { value: "all", label: "All kinds" },
  ...(Object.keys(KIND_NAMES) as AlertKind[]).map((value) => ({ value, label: KIND_NAMES[value] })),
];
const STATES = [
  { value: "open", label: "Not acknowledged" },
  { value: "acknowledged", label: "Acknowledged" },
  { value: "all", label: "All alerts" },
] as const;
const ACKNOWLEDGED = { open: "false", acknowledged: "true", all: undefined } as const;

/** The list with its filter, which is in the address. */
function useAlerts() {
  const kind = useChoice("kind", KINDS);
  const state = useChoice("state", STATES);
  const dates = useDateRange();
  const pages = useAdminList("alerts", {
    kind: kind.value === "all" ? undefined : kind.value,
    acknowledged: ACKNOWLEDGED[state.value],
    ...dates.query,
  });
  return { kind, state, dates, pages };
}

export default function AlertsTab() {
  const { kind, state, dates, pages } = useAlerts();
  const isPermitted = usePermission("acknowledge_alerts");
  const isOpen = (alert: AdminAlert) => isPermitted && alert.acknowledgedAt === null;
  const selection = useSelection(pages.entries.filter(isOpen));
  const { data: pending } = usePendingWork();
  const refreshPending = useRefreshPending();
  const { runningId, acknowledge } = useAcknowledge({
    onAcknowledged(alert) {
      live.noteAct();
      // It stays in place until the list is reloaded, so that no other alert's button moves under the pointer.
      pages.replace((known) => known.id === alert.id, alert);
      focusRecord(alert.id);
    },
    onEnd(isOutdated) {
      refreshPending();
      if (isOutdated) void pages.reload();
    },
  });
  const live = useLiveList({
    signal: signalsOf(pending)?.alerts,
    reload: pages.reload,
    isBusy: runningId !== null || selection.selected.length > 0,
  });
  useHotkeys([
    rowKey(
      "x",
      "Select the alert",
      onRow(pages.entries, isOpen, ({ id }) => selection.toggle(id)),
    ),
  ]);
  return (
    <Panel title="Alerts" actions={<LiveUpdatedAt loadedAtMs={pages.loadedAtMs} live={live} />}>
      <ListBar
        noun="alerts"
        list={pages.list}
        query={pages.query}
        isLoading={pages.isLoading}
        onRefresh={() => void live.show()}
        savedAs="alerts"
        more={{ inUse: dates.inUse, filters: <DateRange label="Raised" range={dates} /> }}
      >
        <Filter label="State" value={state.value} onChoose={state.choose} options={STATES} />
        <Filter label="Kind" value={kind.value} onChoose={kind.choose} options={KINDS} />
      </ListBar>
      <RecordList
        pages={pages}
        noun="alerts"
        empty={
          <NoAlerts isOpen={state.value === "open"} isFiltered={kind.value !== "all" || dates.inUse > 0}>
            <Button onClick={() => state.choose("all")}>Show all alerts</Button>
          </NoAlerts>
        }
      >
        {(rows) => (
          <div className="grid">
            <SelectionBar
              noun="alerts"
              selection={selection}
              canSelect={rows.some(isOpen)}
              summary={
                <>
                  <strong className="font-semibold">{counted(selection.selected.length, "alert")}</strong> selected
                </>
              }
            >
              <Button
                size="small"
                variant="primary"
                loading={runningId !== null}
                onClick={() => void acknowledge(selection.selected)}
              >
                Acknowledge selected
              </Button>
            </SelectionBar>
            <RecordTable
              label="Alerts"
              columns={columnsFor({ isPermitted, runningId, acknowledge: (alert) => void acknowledge([alert]) })}
              rows={rows}
              keyOf={(alert) => alert.id}
              nameOf={nameOf}
              detailsOf={detailsOf}
              area={live.area}
              selection={checkboxesFor(rows, isOpen, selection)}
            />
          </div>
        )}
      </RecordList>
    </Panel>
  );
}

type NoAlertsProps = { isOpen: boolean; isFiltered: boolean; children: ReactNode };

/** `children` shows the acknowledged ones as well. */
function NoAlerts({ isOpen, isFiltered, children }: NoAlertsProps) {
  if (isFiltered)
    return (
      <EmptyState title="No alerts found" action={<ClearFilters />}>
        Nothing matches your filters.
      </EmptyState>
    );
  if (!isOpen)
    return (
      <EmptyState title="No alerts">
        Large wins, long queues, an unreachable payment provider and the like appear here.
      </EmptyState>
    );
  return <EmptyState title="Nothing waits to be acknowledged" action={children} />;
}
