import { useRef, useState } from "react";
import { errorMessage } from "@/api/client";
import { useSession } from "@/api/session";
import { StepUpCancelled } from "@/api/step-up";
import { Badge, Button, ConfirmDialog, Dialog, ErrorState, Panel, Skeleton, toast } from "@/components";
import { counted, formatDateTime } from "@/lib/format";
import {
  type AuthenticatorSecret,
  beginAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
  type SecondFactor,
  useSecondFactor,
} from "./api";
import { Enrolment } from "./enrolment";
import { RecoveryCodes } from "./recovery-codes";

/** From here on, the user is told to make new ones. */
const FEW_CODES = 3;

type Open = { name: "enrolment"; secret: AuthenticatorSecret } | { name: "codes"; codes: readonly string[] } | null;

/** Makes one call at a time; one that was not confirmed does nothing. */
function useCall() {
  const isRunning = useRef(false);
  const [running, setRunning] = useState<string>();
  async function run(name: string, call: () => Promise<void>) {
    if (isRunning.current) return;
    isRunning.current = true;
    setRunning(name);
    try {
      await call();
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      toast({ title: "Error", description: errorMessage(error, "Something went wrong"), variant: "destructive" });
    } finally {
      isRunning.current = false;
      setRunning(undefined);
    }
  }
  return { running, run };
}

type SecondFactorPanelProps = {
  /** For how many hours withdrawals are delayed after a change, if they are. */
  delayHours: number | undefined;
  onChanged(): void;
};

/** The authenticator and the recovery codes. */
export function SecondFactorPanel({ delayHours = 0, onChanged }: SecondFactorPanelProps) {
  const { refresh } = useSession();
  const { state, hasFailed, reload } = useSecondFactor();
  const { running, run } = useCall();
  const [open, setOpen] = useState<Open>(null);
  const [isRemoving, setRemoving] = useState(false);
  function changed() {
    void reload();
    void refresh();
    onChanged();
  }
  function close() {
    setOpen(null);
    changed();
  }
  const enrol = () =>
    void run("enrolment", async () => setOpen({ name: "enrolment", secret: await beginAuthenticator() }));
  const newCodes = () =>
    void run("codes", async () => {
      setOpen({ name: "codes", codes: await replaceRecoveryCodes() });
      changed();
    });
  const remove = () =>
    void run("removal", async () => {
      await removeAuthenticator();
      toast({ title: "Authenticator Removed", description: "Your password alone signs you in again." });
      changed();
    });
  return (
    <Panel title="Second factor">
      {state !== undefined ? (
        <Status
          state={state}
          running={running}
          delayHours={delayHours}
          onEnrol={enrol}
          onNewCodes={newCodes}
          onRemove={() => setRemoving(true)}
        />
      ) : hasFailed ? (
        <ErrorState title="The second factor could not be loaded" onRetry={() => void reload()} />
      ) : (
        <Skeleton className="h-[88px]" />
      )}
      <Dialog
        open={open !== null}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={open?.name === "codes" ? "New recovery codes" : "Set up an authenticator"}
      >
        {open?.name === "enrolment" && (
          <Enrolment
            secret={open.secret}
            onExpired={() => {
              setOpen(null);
              toast({ title: "Set-up Expired", description: "Please start again.", variant: "destructive" });
            }}
            onDone={close}
          />
        )}
        {open?.name === "codes" && <RecoveryCodes codes={open.codes} onDone={close} />}
      </Dialog>
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title="Remove the authenticator?"
        description={`Your password alone then signs you in, and the recovery codes are no longer valid.${delayText(delayHours)}`}
        confirmLabel="Remove"
        onConfirm={() => {
          setRemoving(false);
          remove();
        }}
      />
    </Panel>
  );
}

/** What a change of the second factor means for withdrawals. */
const delayText = (hours: number): string =>
  hours > 0 ? ` Withdrawals that you request within ${counted(hours, "hour")} afterwards are delayed.` : "";

type StatusProps = {
  state: SecondFactor;
  delayHours: number;
  running: string | undefined;
  onEnrol(): void;
  onNewCodes(): void;
  onRemove(): void;
};

function Status({ state, delayHours, running, onEnrol, onNewCodes, onRemove }: StatusProps) {
  const { authenticatorSince, recoveryCodesLeft, isMandatory } = state;
  if (authenticatorSince === null)
    return (
      <div className="grid gap-4">
        <p className="max-w-[72ch] text-pretty text-14 text-ink-2">
          With an authenticator, a stolen password is worth nothing: signing in, withdrawals and changes of your
          security also need a code from your phone.
        </p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant="primary" loading={running === "enrolment"} onClick={onEnrol}>
            Set up an authenticator
          </Button>
          <p className="text-13 text-ink-3">All your other sessions end.{delayText(delayHours)}</p>
        </div>
      </div>
    );
  const hasFew = recoveryCodesLeft <= FEW_CODES;
  return (
    <div className="grid gap-4">
      <dl className="grid gap-3 text-14 sm:grid-cols-2">
        <div className="grid gap-0.5">
          <dt className="text-13 text-ink-3">Authenticator</dt>
          <dd className="font-medium">Set up {formatDateTime(authenticatorSince)}</dd>
        </div>
        <div className="grid gap-0.5">
          <dt className="text-13 text-ink-3">Recovery codes</dt>
          <dd className="flex flex-wrap items-center gap-2 font-medium">
            {recoveryCodesLeft} of 10 left
            {hasFew && <Badge tone="notice">Make new ones</Badge>}
          </dd>
        </div>
      </dl>
      <div className="flex flex-wrap gap-3">
        <Button loading={running === "codes"} onClick={onNewCodes}>
          New recovery codes
        </Button>
        <Button loading={running === "enrolment"} onClick={onEnrol}>
          Set up another authenticator
        </Button>
        {!isMandatory && (
          <Button loading={running === "removal"} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      <p className="text-13 text-ink-3">Another authenticator ends all your other sessions.{delayText(delayHours)}</p>
    </div>
  );
}
