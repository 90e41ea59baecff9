// Changes the role of a user. What gives permissions is proposed to another owner.

import { useState } from "react";
import { ROLE_NAMES } from "@/api/role-names";
import type { Role } from "@/api/types";
import { Field, Select } from "@/components";
import { type AdminUser, changeRole, type RoleDecision } from "../api/admin";
import { DecisionDialog, Facts } from "./decision-dialog";
import { ReasonField, useReason } from "./reason-field";
import { REASON_REQUIRED } from "./rules";
import { showProposalRefusal, outcomeMessages } from "./second-person";
import { useDecision, useIdempotentCall } from "./use-decision";

const ROLES = Object.keys(ROLE_NAMES) as Role[];

type RoleDialogProps = {
  user: AdminUser;
  onCancel(): void;
  onDone(user: AdminUser): void;
  onProposed(): void;
  onConflict(): void;
  onUnsure(): void;
};

export function RoleDialog({ user, onCancel, ...outcomes }: RoleDialogProps) {
  const options = ROLES.filter((role) => role !== user.role).map((value) => ({ value, label: ROLE_NAMES[value] }));
  const [role, setRole] = useState<Role>(user.role === "player" ? "support" : "player");
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall((decision: RoleDecision, key) => changeRole(user.id, decision, key));
  const reason = useReason(REASON_REQUIRED, (text) => {
    const messages = outcomeMessages<AdminUser>({
      success: `${user.username} now has the role ${ROLE_NAMES[role]}`,
      fallback: "Failed to change the role",
      ...outcomes,
      onRefused: showProposalRefusal,
    });
    void decide(send({ role, reason: text }), messages);
  });
  return (
    <DecisionDialog
      title="Change Role"
      description="A role that permits less takes effect at once. One that permits more is proposed, and another owner must approve it."
      confirmLabel={`Make ${user.username} ${ROLE_NAMES[role]}`}
      step={role}
      initialFocus={reason.focus}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={reason.submit}
    >
      <Facts
        facts={[
          ["User", `${user.username} #${user.id}`],
          ["Current role", ROLE_NAMES[user.role]],
        ]}
      />
      <Field label="New role">
        {(ids) => (
          <Select
            {...ids}
            label="New role"
            value={role}
            onValueChange={(next) => setRole(next as Role)}
            options={options}
          />
        )}
      </Field>
      <ReasonField label="Reason" hint="It is kept in the audit log." {...reason.field} />
    </DecisionDialog>
  );
}
