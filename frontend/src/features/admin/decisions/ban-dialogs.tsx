// Banning and unbanning a user.

import { centsOf, formatDollars } from "@/lib/money";
import { type AdminUser, setStatus, type StatusDecision } from "../api/admin";
import { DecisionDialog, Facts } from "./decision-dialog";
import { ReasonField, useReason } from "./reason-field";
import { BAN_REASON_REQUIRED } from "./rules";
import { useDecision, useIdempotentCall } from "./use-decision";

type UserDialogProps = {
  user: AdminUser;
  onCancel(): void;
  onDone(user: AdminUser): void;
  onConflict(): void;
  onUnsure(): void;
};
const MESSAGES = { success: () => "User status updated successfully", fallback: "Failed to update user status" };

const useStatus = (userId: number) =>
  useIdempotentCall((decision: StatusDecision, key) => setStatus(userId, decision, key));

export function BanDialog({ user, onCancel, ...outcomes }: UserDialogProps) {
  const { isBusy, decide } = useDecision();
  const send = useStatus(user.id);
  const reason = useReason(
    BAN_REASON_REQUIRED,
    (banReason) => void decide(send({ status: "banned", banReason }), { ...MESSAGES, ...outcomes }),
  );
  return (
    <DecisionDialog
      title="Ban User"
      description={`${user.username} is signed out at once and can no longer sign in.`}
      confirmLabel={`Ban ${user.username}`}
      isDestructive
      initialFocus={reason.focus}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={reason.submit}
    >
      <Facts
        facts={[
          ["User", `${user.username} #${user.id}`],
          ["Balance", `${formatDollars(centsOf(user.balance))} (unchanged)`],
        ]}
      />
      <ReasonField label="Ban Reason" hint="It is shown to the user when signing in." {...reason.field} />
    </DecisionDialog>
  );
}

export function UnbanDialog({ user, onCancel, ...outcomes }: UserDialogProps) {
  const { isBusy, decide } = useDecision();
  const send = useStatus(user.id);
  return (
    <DecisionDialog
      title="Unban User"
      description={`${user.username} can sign in and play again.`}
      confirmLabel={`Unban ${user.username}`}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={() => void decide(send({ status: "active" }), { ...MESSAGES, ...outcomes })}
    >
      <Facts
        facts={[
          ["User", `${user.username} #${user.id}`],
          ["Banned for", user.banReason ?? "no reason on record"],
          ["Balance", formatDollars(centsOf(user.balance))],
        ]}
      />
    </DecisionDialog>
  );
}
