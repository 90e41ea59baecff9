import { useState } from "react";
import { errorMessage } from "@/api/client";
import { StepUpCancelled } from "@/api/step-up";
import { Button, Panel, toast } from "@/components";
import { type AuthenticatorSecret, beginAuthenticator } from "./api";
import { Enrolment } from "./enrolment";

/** Sets an authenticator up on a page of its own. */
export function FirstAuthenticator({ onDone }: { onDone(): void }) {
  const [secret, setSecret] = useState<AuthenticatorSecret>();
  const [isBeginning, setBeginning] = useState(false);
  async function begin() {
    setBeginning(true);
    try {
      setSecret(await beginAuthenticator());
    } catch (error) {
      if (!(error instanceof StepUpCancelled))
        toast({ title: "Error", description: errorMessage(error, "Something went wrong"), variant: "destructive" });
    } finally {
      setBeginning(false);
    }
  }
  return (
    <Panel title="Authenticator">
      {secret === undefined ? (
        <div className="grid gap-4">
          <p className="text-pretty text-14 text-ink-2">
            An authenticator is an app, on your phone or in your password manager, that shows a new code every half
            minute. Signing in and whatever moves money then needs such a code, too.
          </p>
          <Button variant="primary" className="justify-self-start" loading={isBeginning} onClick={() => void begin()}>
            Set up an authenticator
          </Button>
        </div>
      ) : (
        <Enrolment
          secret={secret}
          onExpired={() => {
            setSecret(undefined);
            toast({ title: "Set-up Expired", description: "Please start again.", variant: "destructive" });
          }}
          onDone={onDone}
        />
      )}
    </Panel>
  );
}
