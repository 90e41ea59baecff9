// Sets a switch of the house.

import { DecisionDialog, Facts } from "../decisions/decision-dialog";
import { ReasonField, useReason } from "../decisions/reason-field";
import { STATUS_REASON_REQUIRED } from "../decisions/rules";
import { useDecision, useIdempotentCall } from "../decisions/use-decision";
import { type HouseSwitch, setSwitch, type SwitchChange } from "./api";
import { stateOf, SWITCH_WORDS } from "./wording";

type SwitchDialogProps = {
  entry: HouseSwitch;
  /** Whether only the reason that players are shown is to be changed. */
  isNewReason: boolean;
  onCancel(): void;
  onDone(switches: HouseSwitch[]): void;
  onConflict(): void;
  onUnsure(): void;
};

export function SwitchDialog({ entry, isNewReason, onCancel, ...outcomes }: SwitchDialogProps) {
  const { name } = entry;
  const { label, stopped, running } = SWITCH_WORDS[name];
  const isOn = isNewReason ? entry.isOn : !entry.isOn;
  const stops = isNewReason ? entry.isStopping : !entry.isStopping;
  const next = stateOf({ name, isOn });
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall((change: SwitchChange, key) => setSwitch(name, change, key));
  const reason = useReason(STATUS_REASON_REQUIRED, (text) => {
    void decide(send({ isOn, reason: text }), {
      success: () => `${label}: ${next}`,
      fallback: "Failed to set the switch",
      ...outcomes,
    });
  });
  return (
    <DecisionDialog
      title={isNewReason ? `Reason shown for ${label}` : `Set ${label} to ${next}`}
      description="It applies on all servers within two seconds and is recorded in the audit log under your name."
      confirmLabel={isNewReason ? "Change Reason" : `Set to ${next}`}
      isDestructive={stops && !isNewReason}
      initialFocus={reason.focus}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={reason.submit}
    >
      <Facts
        facts={[
          ["Now", stateOf(entry)],
          ["Then", next],
        ]}
      />
      <p className="text-pretty text-14 text-ink-2">{stops ? stopped : running}</p>
      <ReasonField
        label="Reason"
        hint={stops ? "Players are shown it." : "It is for the audit log."}
        {...reason.field}
      />
    </DecisionDialog>
  );
}
