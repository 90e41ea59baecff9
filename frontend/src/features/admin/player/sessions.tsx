// The sessions in which a player is signed in, and ending them.

import { useState } from "react";
import useSWR from "swr";
import { Button, EmptyState, Panel } from "@/components";
import { endSessions, fetchSessions, type PlayerRef, type UserSession } from "../api/admin";
import { DecisionDialog } from "../decisions/decision-dialog";
import { ReasonField, useReason } from "../decisions/reason-field";
import { STATUS_REASON_REQUIRED } from "../decisions/rules";
import { useDecision, useIdempotentCall } from "../decisions/use-decision";
import { ExactTime } from "../lists/cells";
import { Loaded } from "../lists/loaded";
import { usePermission } from "../permissions";

type SessionsProps = { user: PlayerRef; onEnded(): void };

export function Sessions({ user, onEnded }: SessionsProps) {
  const sessions = useSWR(["admin", "sessions", user.id], () => fetchSessions(user.id));
  const mayEnd = usePermission("end_sessions");
  const [isAsking, setAsking] = useState(false);
  function end() {
    setAsking(false);
    void sessions.mutate();
    onEnded();
  }
  return (
    <Panel
      title="Sessions"
      actions={
        <div className="flex gap-2">
          <Button size="small" aria-label="Refresh the sessions" onClick={() => void sessions.mutate()}>
            Refresh
          </Button>
          {mayEnd && (sessions.data?.length ?? 0) > 0 && (
            <Button size="small" onClick={() => setAsking(true)}>
              End All Sessions
            </Button>
          )}
        </div>
      }
    >
      <Loaded state={sessions} what="the sessions">
        {(found) =>
          found.length === 0 ? (
            <EmptyState title={`${user.username} is signed in nowhere`} />
          ) : (
            <ul aria-label={`Sessions of ${user.username}`} className="divide-y divide-line">
              {found.map((session) => (
                <Session key={`${session.createdAt}-${session.device}-${session.address}`} session={session} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isAsking && (
        <EndDialog user={user} onCancel={() => setAsking(false)} onDone={end} onConflict={end} onUnsure={end} />
      )}
    </Panel>
  );
}

function Session({ session: { device, address, createdAt, lastActiveAt } }: { session: UserSession }) {
  return (
    <li className="grid gap-x-6 py-2 text-14 lg:grid-cols-[1fr_1fr_auto_auto]">
      <span className="font-medium">{device ?? "Unknown device"}</span>
      <span className="text-ink-2 [overflow-wrap:anywhere]">{address ?? "Unknown address"}</span>
      <span className="text-13 text-ink-2">
        Signed in <ExactTime iso={createdAt} />
      </span>
      <span className="text-13 text-ink-2">
        Active <ExactTime iso={lastActiveAt} />
      </span>
    </li>
  );
}

type EndDialogProps = {
  user: PlayerRef;
  onCancel(): void;
  onDone(): void;
  onConflict(): void;
  onUnsure(): void;
};

function EndDialog({ user, onCancel, ...outcomes }: EndDialogProps) {
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall((end: { reason: string }, key) => endSessions(user.id, end, key));
  const reason = useReason(
    STATUS_REASON_REQUIRED,
    (text) =>
      void decide(send({ reason: text }), {
        success: () => `${user.username} was signed out everywhere`,
        fallback: "Failed to end the sessions",
        ...outcomes,
      }),
  );
  return (
    <DecisionDialog
      title="End All Sessions"
      description={`${user.username} is signed out everywhere at once, is told of it, and can sign in again.`}
      confirmLabel="End All Sessions"
      isDestructive
      initialFocus={reason.focus}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={reason.submit}
    >
      <ReasonField label="Reason" hint="It is for the audit log." {...reason.field} />
    </DecisionDialog>
  );
}
