import { useEffect, useRef, useState } from "react";
import { ApiError } from "@/api/client";
import { useSecondFactor } from "@/api/second-factor";
import { useSession } from "@/api/session";
import { ConfirmDialog, Dialog, ErrorState, Panel, Skeleton, toast } from "@/components";
import {
  type AuthenticatorSecret,
  beginAuthenticator,
  removeAuthenticator,
  removePasskey,
  replaceRecoveryCodes,
} from "./api";
import { Enrolment } from "./enrolment";
import { PasskeyForm } from "./passkey-form";
import { RecoveryCodes } from "./recovery-codes";
import { NoSecondFactor, SecondFactorStatus } from "./second-factor-status";
import { delayText, hasSecondFactor, type Part, removalText, removedText } from "./second-factor-texts";
import { useCall } from "./use-call";

type Open =
  | { name: "enrolment"; secret: AuthenticatorSecret }
  | { name: "passkey" }
  | { name: "codes"; title: string; codes: readonly string[] };

type SecondFactorPanelProps = {
  /** For how many hours withdrawals are delayed after a change, if they are. */
  delayHours: number | undefined;
  onChanged(): void;
};

/** The passkeys, the authenticator and the recovery codes. */
export function SecondFactorPanel({ delayHours = 0, onChanged }: SecondFactorPanelProps) {
  const { refresh } = useSession();
  const { state, hasFailed, reload } = useSecondFactor();
  const { running, run } = useCall();
  const [open, setOpen] = useState<Open | null>(null);
  const [removing, setRemoving] = useState<Part | null>(null);
  const content = useFocusWhenReplaced(state && hasSecondFactor(state));
  async function changed() {
    void refresh();
    onChanged();
    await reload();
  }
  function close() {
    setOpen(null);
    void changed();
  }
  const remove = (part: Part) =>
    void run(part === "authenticator" ? part : part.id, async () => {
      await (part === "authenticator" ? removeAuthenticator() : removeUnlessGone(part.id));
      const title = part === "authenticator" ? "Authenticator Removed" : "Passkey Removed";
      toast({ title, ...(state && { description: removedText(state, part) }) });
      await changed();
      // The button is gone: keyboard users would start over at the top of the page.
      content.current?.focus({ preventScroll: true });
    });
  const actions = {
    running,
    delayHours,
    onAddPasskey: () => setOpen({ name: "passkey" }),
    onEnrol: () =>
      void run("enrolment", async () => setOpen({ name: "enrolment", secret: await beginAuthenticator() })),
    onNewCodes: () =>
      void run("codes", async () => {
        setOpen({ name: "codes", title: "New recovery codes", codes: await replaceRecoveryCodes() });
        void changed();
      }),
    onRemove: setRemoving,
  };
  return (
    <Panel title="Second factor">
      {state !== undefined ? (
        <div ref={content} tabIndex={-1} className="outline-none">
          {hasSecondFactor(state) ? <SecondFactorStatus state={state} {...actions} /> : <NoSecondFactor {...actions} />}
        </div>
      ) : hasFailed ? (
        <ErrorState title="The second factor could not be loaded" onRetry={() => void reload()} />
      ) : (
        <Skeleton className="h-[88px]" />
      )}
      {open && <SetUpDialog open={open} delayHours={delayHours} onOpen={setOpen} onDone={close} />}
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={() => setRemoving(null)}
        title={removing === "authenticator" ? "Remove the authenticator?" : "Remove this passkey?"}
        description={state && removing && removalText(state, removing, delayHours)}
        confirmLabel="Remove"
        onConfirm={() => {
          setRemoving(null);
          if (removing) remove(removing);
        }}
      />
    </Panel>
  );
}

/** What is shown is replaced with the first and the last second factor, and the focused button with it. */
function useFocusWhenReplaced(isSetUp: boolean | undefined) {
  const content = useRef<HTMLDivElement>(null);
  const wasShown = useRef(false);
  useEffect(() => {
    if (isSetUp !== undefined && document.activeElement === document.body && wasShown.current)
      content.current?.focus({ preventScroll: true });
    wasShown.current = isSetUp !== undefined;
  }, [isSetUp]);
  return content;
}

/** A passkey that was removed elsewhere in the meantime need not be removed. */
async function removeUnlessGone(id: string): Promise<void> {
  try {
    await removePasskey(id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

type SetUpDialogProps = { open: Open; delayHours: number; onOpen(next: Open | null): void; onDone(): void };

const TITLES = { enrolment: "Set up an authenticator", passkey: "Add a passkey" };

function SetUpDialog({ open, delayHours, onOpen, onDone }: SetUpDialogProps) {
  function added(codes: readonly string[] | null) {
    if (codes !== null) return onOpen({ name: "codes", title: "Recovery codes", codes });
    toast({ title: "Passkey Added", description: "From now on it signs you in." });
    onDone();
  }
  return (
    <Dialog
      open
      onOpenChange={onDone}
      title={open.name === "codes" ? open.title : TITLES[open.name]}
      {...(open.name === "passkey" && {
        description: `Your browser asks you where to keep it: on this device, on your phone or on a security key.${delayText(delayHours)}`,
      })}
    >
      {open.name === "enrolment" && (
        <Enrolment
          secret={open.secret}
          onExpired={() => {
            onOpen(null);
            toast({ title: "Set-up Expired", description: "Please start again.", variant: "destructive" });
          }}
          onDone={onDone}
        />
      )}
      {open.name === "passkey" && <PasskeyForm onAdded={added} />}
      {open.name === "codes" && <RecoveryCodes codes={open.codes} onDone={onDone} />}
    </Dialog>
  );
}
