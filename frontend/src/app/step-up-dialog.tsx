import { useState } from "react";
import { ApiError, errorCode } from "@/api/client";
import { askForPasskey } from "@/api/passkeys";
import { useUser } from "@/api/session";
import { beginPasskeyStepUp, stepUp } from "@/api/step-up";
import { useCeremony } from "@/api/use-ceremony";
import { Button, Dialog, Spinner, toast } from "@/components";
import { PasskeyButton } from "@/components/passkey-button";
import { TextButton } from "@/components/text-button";
import { EntryForm, type EntryKind, useEntry } from "./step-up-entry";
import { useConfirmationWays } from "./use-confirmation-ways";

const FORM_ID = "step-up";

const REQUESTS: Record<EntryKind | "passkey" | "unknown", string> = {
  password: "Please enter your password again to continue.",
  code: "Please enter your second factor to continue.",
  "recovery-code": "Please enter a recovery code to continue.",
  passkey: "Please confirm with your passkey to continue.",
  unknown: "Please confirm that it is you to continue.",
};

/** Too many wrong entries end the session. The page is then replaced, but the toast stays. */
function reportLostSession(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 401 || errorCode(error) === "invalid_passkey") return false;
  toast({
    title: "Session Lost",
    description: "You have been logged out or your session expired. Please log in again.",
    variant: "destructive",
  });
  return true;
}

type StepUpProps = { onConfirmed(): void; onCancel(): void };

/** Asks for a passkey, for a code of the second factor or, of users without one, for the password. */
export default function StepUpDialog({ onConfirmed, onCancel }: StepUpProps) {
  const hasSecondFactor = useUser()?.hasSecondFactor === true;
  const ways = useConfirmationWays(hasSecondFactor);
  const [isEntering, setEntering] = useState(false);
  const [prefersRecovery, setPrefersRecovery] = useState(false);
  function onLost(error: unknown) {
    const isLost = reportLostSession(error);
    if (isLost) onCancel();
    return isLost;
  }
  const isRecovery = prefersRecovery || ways?.hasAuthenticator === false;
  const kind = !hasSecondFactor ? "password" : isRecovery ? "recovery-code" : "code";
  const entry = useEntry({ kind, onConfirmed, onLost });
  const asked = ways === undefined ? "unknown" : ways.hasPasskey && !isEntering ? "passkey" : kind;
  const isEntry = asked !== "unknown" && asked !== "passkey";
  function toggle() {
    setPrefersRecovery(!prefersRecovery);
    entry.restart();
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onCancel()}
      title="Confirm your identity"
      description={`${REQUESTS[asked]} What moves money or protects the account requires it every five minutes.`}
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          {isEntry && (
            <Button type="submit" form={FORM_ID} variant="primary" loading={entry.isBusy}>
              Continue
            </Button>
          )}
        </>
      }
    >
      {asked === "unknown" && <Spinner label="Loading" />}
      {asked === "passkey" && (
        <PasskeyConfirmation
          otherWay={isRecovery ? "Use a recovery code instead" : "Use a code instead"}
          onOtherWay={() => setEntering(true)}
          onConfirmed={onConfirmed}
          onLost={onLost}
        />
      )}
      {isEntry && (
        <div className="grid gap-1">
          <EntryForm id={FORM_ID} entry={entry} onToggle={ways?.hasAuthenticator === true ? toggle : undefined} />
          {ways?.hasPasskey === true && (
            <TextButton onClick={() => setEntering(false)}>Use a passkey instead</TextButton>
          )}
        </div>
      )}
    </Dialog>
  );
}

type PasskeyConfirmationProps = {
  otherWay: string;
  onOtherWay(): void;
  onConfirmed(): void;
  onLost(error: unknown): boolean;
};

function PasskeyConfirmation({ otherWay, onOtherWay, onConfirmed, onLost }: PasskeyConfirmationProps) {
  const { isBusy, notice, run } = useCeremony({ cancelled: "No passkey was used. You can try again." });
  async function confirm(signal: AbortSignal) {
    try {
      await stepUp({ passkey: await askForPasskey(beginPasskeyStepUp, signal) });
      onConfirmed();
    } catch (error) {
      if (!onLost(error)) throw error;
    }
  }
  return (
    <div className="grid gap-3">
      <PasskeyButton
        variant="primary"
        size="large"
        isBusy={isBusy}
        notice={notice}
        onClick={() => void run(confirm)}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one action of the dialog has the initial focus (ARIA's dialog pattern)
        autoFocus
      >
        Use a passkey
      </PasskeyButton>
      <TextButton onClick={onOtherWay}>{otherWay}</TextButton>
    </div>
  );
}
