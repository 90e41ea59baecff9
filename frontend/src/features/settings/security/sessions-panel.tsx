import { useRef, useState } from "react";
import { ApiError, errorMessage } from "@/api/client";
import { StepUpCancelled } from "@/api/step-up";
import { Badge, Button, ConfirmDialog, ErrorState, Panel, Skeleton, toast } from "@/components";
import { Ago } from "@/components/ago";
import { originText } from "@/components/security-event-list";
import { formatDateTime } from "@/lib/format";
import { type AccountSession, endOtherSessions, endSession, type OwnSessions } from "./api";

/** What is being ended: a session, by its ID, or all others. */
type Ending = string | "others" | null;

/** Ends sessions, one call at a time. */
function useEndings(sessions: OwnSessions, onEnded: () => void) {
  const isRunning = useRef(false);
  const [ending, setEnding] = useState<Ending>(null);
  const list = useRef<HTMLUListElement>(null);
  async function run(what: Exclude<Ending, null>, call: () => Promise<unknown>, title: string, description: string) {
    if (isRunning.current) return;
    isRunning.current = true;
    setEnding(what);
    try {
      await call();
      sessions.keep((session) => session.isCurrent || (what !== "others" && session.id !== what));
      toast({ title, description });
      onEnded();
      // The button is gone: keyboard users would start over at the top of the page.
      list.current?.focus({ preventScroll: true });
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      toast({ title: "Error", description: errorMessage(error, "Something went wrong"), variant: "destructive" });
    } finally {
      isRunning.current = false;
      setEnding(null);
    }
  }
  return {
    ending,
    list,
    endOne: (session: AccountSession) =>
      void run(session.id, () => endUnlessEnded(session.id), "Session Ended", `It was on ${originText(session)}.`),
    endOthers: () => void run("others", endOtherSessions, "Sessions Ended", "You are signed in on this device only."),
  };
}

/** A session that has ended elsewhere in the meantime need not be ended. */
async function endUnlessEnded(id: string): Promise<void> {
  try {
    await endSession(id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

type SessionsPanelProps = { sessions: OwnSessions; onEnded(): void };

/** Where the player is signed in, and how to end that. */
export function SessionsPanel({ sessions, onEnded }: SessionsPanelProps) {
  const [isAsking, setAsking] = useState(false);
  const { ending, list, endOne, endOthers } = useEndings(sessions, onEnded);
  const { list: known, hasFailed, reload } = sessions;
  const hasOthers = known?.some(({ isCurrent }) => !isCurrent) ?? false;
  return (
    <Panel
      title="Sessions"
      actions={
        hasOthers && (
          <Button size="small" loading={ending === "others"} onClick={() => setAsking(true)}>
            End all others
          </Button>
        )
      }
    >
      {known !== undefined ? (
        <ul ref={list} tabIndex={-1} aria-label="Sessions" className="divide-y divide-line rounded-control">
          {ownFirst(known).map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isEnding={ending === session.id}
              onEnd={() => endOne(session)}
            />
          ))}
        </ul>
      ) : hasFailed ? (
        <ErrorState title="Your sessions could not be loaded" onRetry={() => void reload()} />
      ) : (
        <Skeleton className="h-[120px]" />
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="End all other sessions?"
        description="Every other device is signed out at once and needs your password again. Rounds in play go on."
        confirmLabel="End all others"
        onConfirm={() => {
          setAsking(false);
          endOthers();
        }}
      />
    </Panel>
  );
}

const ownFirst = (sessions: readonly AccountSession[]): AccountSession[] =>
  sessions.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));

type SessionRowProps = { session: AccountSession; isEnding: boolean; onEnd(): void };

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { device, address, isCurrent, createdAt, lastActiveAt } = session;
  return (
    <li className="flex items-center justify-between gap-4 py-3 first:pt-0 last:pb-0">
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          {device ?? "Unknown device"}
          {isCurrent && <Badge className="text-ink">This device</Badge>}
        </p>
        <p className="text-13 text-ink-2">
          Last active <Ago iso={lastActiveAt} />
        </p>
        <p className="text-13 text-ink-3 [overflow-wrap:anywhere]">
          {address ?? "Unknown address"}, signed in {formatDateTime(createdAt)}
        </p>
      </div>
      {!isCurrent && (
        <Button
          size="small"
          loading={isEnding}
          onClick={onEnd}
          aria-label={`End the session on ${originText(session)}`}
        >
          End
        </Button>
      )}
    </li>
  );
}
