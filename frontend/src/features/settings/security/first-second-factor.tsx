import { useState } from "react";
import { Button, Panel, toast } from "@/components";
import { canUsePasskeys } from "@/lib/passkeys";
import { type AuthenticatorSecret, beginAuthenticator } from "./api";
import { Enrolment } from "./enrolment";
import { PasskeyForm } from "./passkey-form";
import { RecoveryCodes } from "./recovery-codes";
import { useCall } from "./use-call";

/** Has the user choose a second factor and sets it up, on a page of its own. */
export function FirstSecondFactor({ onDone }: { onDone(): void }) {
  const [secret, setSecret] = useState<AuthenticatorSecret>();
  const [codes, setCodes] = useState<readonly string[]>();
  const { running, run } = useCall();
  const begin = () => void run("authenticator", async () => setSecret(await beginAuthenticator()));
  function added(issued: readonly string[] | null) {
    if (issued === null) onDone();
    else setCodes(issued);
  }
  if (codes !== undefined)
    return (
      <Panel title="Recovery codes">
        <RecoveryCodes codes={codes} onDone={onDone} />
      </Panel>
    );
  if (secret !== undefined)
    return (
      <Panel title="Authenticator">
        <Enrolment
          secret={secret}
          onExpired={() => {
            setSecret(undefined);
            toast({ title: "Set-up Expired", description: "Please start again.", variant: "destructive" });
          }}
          onBack={() => setSecret(undefined)}
          onDone={onDone}
        />
      </Panel>
    );
  const hasPasskeys = canUsePasskeys();
  return (
    <>
      {hasPasskeys && (
        <Panel title="Passkey">
          <div className="grid gap-4">
            <p className="text-pretty text-14 text-ink-2">
              A passkey is kept on this device, on your phone or on a security key, and is unlocked with your
              fingerprint, your face or a PIN. It signs you in without a password.
            </p>
            <PasskeyForm onAdded={added} />
          </div>
        </Panel>
      )}
      <Panel title="Authenticator">
        <div className="grid gap-4">
          <p className="text-pretty text-14 text-ink-2">
            An authenticator is an app, on your phone or in your password manager, that shows a new code every half
            minute. Signing in and whatever moves money then needs such a code, too.
          </p>
          <Button
            variant={hasPasskeys ? "secondary" : "primary"}
            className="justify-self-start"
            loading={running !== undefined}
            onClick={begin}
          >
            Set up an authenticator
          </Button>
        </div>
      </Panel>
    </>
  );
}
