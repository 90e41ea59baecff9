// Blocks a player's betting or withdrawing, or lifts that.

import { useState } from "react";
import { SegmentedControl } from "@/components";
import type { AdminUser } from "../api/admin";
import { DecisionDialog, Facts } from "../decisions/decision-dialog";
import { ReasonField, useReason } from "../decisions/reason-field";
import { STATUS_REASON_REQUIRED } from "../decisions/rules";
import { useDecision, useIdempotentCall } from "../decisions/use-decision";
import { usePermission } from "../permissions";
import { type Restriction, type RestrictionChange, setRestriction } from "./api";

type RestrictionDialogProps = {
  user: AdminUser;
  onCancel(): void;
  onDone(user: AdminUser): void;
  onConflict(): void;
  onUnsure(): void;
};

const LABELS: Readonly<Record<Restriction, string>> = { betting: "Betting", withdrawing: "Withdrawing" };
const OPTIONS = (["betting", "withdrawing"] as const).map((value) => ({ value, label: LABELS[value] }));

const EFFECTS: Readonly<Record<Restriction, string>> = {
  betting: "The player starts no rounds and requests no deposits. Rounds in play can be finished.",
  withdrawing:
    "The player requests no withdrawals, pending ones are not approved, and no new payment starts. They can still be rejected.",
};

const reasonOf = (user: AdminUser, restriction: Restriction): string | null =>
  restriction === "betting" ? user.bettingBlockReason : user.withdrawingBlockReason;

export function RestrictionDialog({ user, onCancel, ...outcomes }: RestrictionDialogProps) {
  const mayBlockBetting = usePermission("block_betting");
  const [restriction, setChosen] = useState<Restriction>(mayBlockBetting ? "betting" : "withdrawing");
  const present = reasonOf(user, restriction);
  const isBlocked = present === null;
  const label = LABELS[restriction];
  const action = `${isBlocked ? "Block" : "Unblock"} ${label}`;
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall((change: RestrictionChange, key) => setRestriction(user.id, change, key));
  const reason = useReason(STATUS_REASON_REQUIRED, (text) => {
    void decide(send({ restriction, isBlocked, reason: text }), {
      success: () => `${label} is ${isBlocked ? "blocked" : "no longer blocked"} for ${user.username}`,
      fallback: "Failed to change the restriction",
      ...outcomes,
    });
  });
  return (
    <DecisionDialog
      title={`Restrictions of ${user.username}`}
      description="The player can sign in and read in any case. It is recorded in the audit log under your name."
      confirmLabel={action}
      isDestructive={isBlocked}
      step={action}
      initialFocus={reason.focus}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={reason.submit}
    >
      {mayBlockBetting && (
        <SegmentedControl<Restriction>
          label="Restriction"
          value={restriction}
          onValueChange={setChosen}
          options={OPTIONS}
        />
      )}
      <Facts
        facts={[
          ["User", `${user.username} #${user.id}`],
          [label, present === null ? "not blocked" : `blocked: ${present}`],
        ]}
      />
      <p className="text-pretty text-14 text-ink-2">
        {isBlocked ? EFFECTS[restriction] : `${label} is possible again at once.`}
      </p>
      <ReasonField
        label="Reason"
        hint="It is for administrators; the player is told to contact support."
        {...reason.field}
      />
    </DecisionDialog>
  );
}
