// The switches of the house, with what each of them stops and who has set it.

import { useState } from "react";
import useSWR from "swr";
import { useHouse } from "@/api/house";
import { Badge, Button, ErrorState, Panel, Skeleton } from "@/components";
import { Ago } from "@/components/ago";
import { usePermission } from "../permissions";
import { fetchSwitches, type HouseSwitch } from "./api";
import { SwitchDialog } from "./switch-dialog";
import { stateOf, SWITCH_WORDS } from "./wording";

const ORDER: readonly HouseSwitch["name"][] = ["maintenance", "deposits", "withdrawals", "registration"];

/** The switches in their order. A newer server may have some that this version does not know. */
const ordered = (switches: readonly HouseSwitch[]): HouseSwitch[] =>
  ORDER.flatMap((name) => switches.find((entry) => entry.name === name) ?? []);

type Chosen = { entry: HouseSwitch; isNewReason: boolean };

export function HouseSwitches() {
  const { data, error, isLoading, mutate } = useSWR("admin-switches", fetchSwitches);
  const { refresh } = useHouse();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  function close(switches?: HouseSwitch[]) {
    setChosen(null);
    void mutate(switches, { revalidate: switches === undefined });
    void refresh();
  }
  return (
    <Panel
      title="House"
      actions={
        <Button size="small" aria-label="Refresh the switches" onClick={() => void mutate()}>
          Refresh
        </Button>
      }
    >
      {data === undefined && error === undefined && <Skeleton className="h-[260px]" />}
      {data === undefined && error !== undefined && (
        <ErrorState title="Failed to load the switches" onRetry={() => void mutate()} />
      )}
      {data !== undefined && (
        <ul aria-label="Switches" aria-busy={isLoading} className="grid">
          {ordered(data).map((entry) => (
            <Entry key={entry.name} entry={entry} onChange={(isNewReason) => setChosen({ entry, isNewReason })} />
          ))}
        </ul>
      )}
      {chosen && (
        <SwitchDialog
          {...chosen}
          onCancel={() => setChosen(null)}
          onDone={close}
          onConflict={() => close()}
          onUnsure={() => close()}
        />
      )}
    </Panel>
  );
}

function Entry({ entry, onChange }: { entry: HouseSwitch; onChange(isNewReason: boolean): void }) {
  const mayStop = usePermission("stop_house");
  const mayResume = usePermission("resume_house");
  const { label, stopped, running } = SWITCH_WORDS[entry.name];
  const { isStopping, changedAt, changedBy } = entry;
  const next = stateOf({ name: entry.name, isOn: !entry.isOn });
  return (
    <li className="grid gap-x-6 gap-y-2 border-t border-line py-3 text-14 sm:grid-cols-[1fr_auto]">
      <div className="grid min-w-0 content-start gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold">{label}</span>
          <Badge tone={isStopping ? "notice" : "info"}>{stateOf(entry)}</Badge>
        </p>
        <p className="max-w-[72ch] text-pretty text-ink-2">{isStopping ? stopped : running}</p>
        {entry.reason !== null && (
          <p className="max-w-[72ch] break-words text-13">
            <span className="text-ink-3">{isStopping ? "Players are told: " : "Last reason: "}</span>
            {entry.reason}
          </p>
        )}
        {changedAt !== null && (
          <p className="text-13 text-ink-3">
            Set by {changedBy === null ? "the command line" : changedBy.username} <Ago iso={changedAt} />
          </p>
        )}
      </div>
      <div className="flex flex-wrap content-start gap-2 sm:justify-end">
        {isStopping && mayStop && (
          <Button size="small" aria-label={`Change the reason for ${label}`} onClick={() => onChange(true)}>
            Change Reason
          </Button>
        )}
        {(isStopping ? mayResume : mayStop) && (
          <Button size="small" aria-label={`Set ${label} to ${next}`} onClick={() => onChange(false)}>
            {`Set to ${next}`}
          </Button>
        )}
        {isStopping && mayStop && !mayResume && (
          <p className="self-center text-13 text-ink-3">Only owners can resume it.</p>
        )}
      </div>
    </li>
  );
}
