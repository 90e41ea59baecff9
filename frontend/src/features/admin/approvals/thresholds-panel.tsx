// Up to which amounts one person may act alone, what was moved today, and what is not available without a second person.

import { useState } from "react";
import { Button, Panel } from "@/components";
import { formatWire } from "@/lib/money";
import type { ApprovalOverview } from "../api/admin";
import { ThresholdsDialog } from "../decisions/thresholds-dialog";
import { DateTime } from "../lists/cells";
import { Loaded } from "../lists/loaded";
import { useRefreshPending } from "../live/pending-work";
import { IfPermitted } from "../permissions";
import { useApproval } from "./use-approval";
import { THRESHOLDS, unavailableActs } from "./wording";

export function ThresholdsPanel() {
  const approval = useApproval();
  const refreshPending = useRefreshPending();
  const [isChanging, setChanging] = useState(false);
  function close() {
    setChanging(false);
    void approval.mutate();
    refreshPending();
  }
  return (
    <Panel
      title="Approval Thresholds"
      actions={
        approval.data && (
          <IfPermitted permission="change_thresholds">
            <Button size="small" onClick={() => setChanging(true)}>
              Change Thresholds
            </Button>
          </IfPermitted>
        )
      }
    >
      <Loaded state={approval} what="the thresholds">
        {(data) => (
          <>
            <p className="mb-4 max-w-[76ch] text-14 text-ink-2">
              One person may act alone up to these amounts. What exceeds one of them is proposed by one person and
              approved by another. Nobody acts for their own account.
            </p>
            <Amounts approval={data} />
            <Unavailable approval={data} />
            {isChanging && (
              <ThresholdsDialog
                thresholds={data.thresholds}
                onCancel={() => setChanging(false)}
                onDone={close}
                onConflict={close}
                onUnsure={close}
              />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Amounts({ approval: { thresholds, today, setAt } }: { approval: ApprovalOverview }) {
  const used: Partial<Record<keyof ApprovalOverview["thresholds"], string>> = {
    personPerDay: `you today: ${formatWire(today.mine)}`,
    housePerDay: `today: ${formatWire(today.house)}`,
  };
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-3 text-14 sm:grid-cols-3 xl:grid-cols-6 [&_dt]:text-12 [&_dt]:text-ink-3">
        {THRESHOLDS.map(({ name, label }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>
              <span className="font-semibold tabular-nums">{formatWire(thresholds[name])}</span>
              {used[name] !== undefined && <span className="block text-13 text-ink-2 tabular-nums">{used[name]}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-13 text-ink-3">
        Days are those of UTC. What two people have approved is not counted. Without a person, only withdrawals without
        a risk factor are approved, and only if the provider pays them.
        {setAt !== null && (
          <>
            {" "}
            Set <DateTime iso={setAt} className="text-ink-3" />.
          </>
        )}
      </p>
    </>
  );
}

/** Says plainly what cannot be done because nobody else could approve it. */
function Unavailable({ approval }: { approval: ApprovalOverview }) {
  const acts = unavailableActs(approval);
  if (acts.length === 0) return null;
  return (
    <div role="note" className="mt-5 grid max-w-[76ch] gap-2 rounded-control border border-line bg-well p-4 text-14">
      <p className="font-semibold">Not available, because nobody else could approve it:</p>
      <ul className="list-disc pl-5">
        {acts.map((act) => (
          <li key={act}>{act}</li>
        ))}
      </ul>
      <p className="text-ink-2">
        Give a second person a role that permits it: on the server, with{" "}
        <code className="break-all font-mono text-13">glasshouse admin grant NAME --role ROLE</code>, or, if there are
        two owners, with Change Role under Users.
      </p>
    </div>
  );
}
