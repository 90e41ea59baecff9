import { useRef, useState } from "react";
import { api, byCode, type ErrorCode, errorMessage } from "@/api/client";
import { useUser } from "@/api/session";
import { Button, ErrorState, LinkButton, Panel, toast } from "@/components";
import { UnusableLink } from "./new-password";
import { useLinkToken } from "./use-link-token";

type Outcome = "done" | "unusable" | "refused" | null;
const OUTCOMES: Partial<Record<ErrorCode, Outcome>> = { link_unusable: "unusable", email_refused: "refused" };

/**
 * Confirms an address with the link that was sent to it. It takes a click, because some mail programs open links by
 * themselves.
 */
export function VerifyEmail() {
  const token = useLinkToken();
  const user = useUser();
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>(token === "" ? "unusable" : null);
  const home = user ? "/settings" : "/auth";
  async function confirm() {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    try {
      await api.POST("/api/email-verification", { body: { token } });
      setOutcome("done");
    } catch (error) {
      const known = byCode(OUTCOMES, error);
      if (known) setOutcome(known);
      else toast({ title: "Error", description: errorMessage(error, "Something went wrong"), variant: "destructive" });
    }
    isRunning.current = false;
    setBusy(false);
  }
  if (outcome === "unusable") return <UnusableLink again={home} label={user ? "Back to settings" : "Log in"} />;
  if (outcome === "refused") {
    return (
      <Panel title="Address not added">
        <ErrorState title="This address was not added" description="We have sent a mail to it that says why." />
        <LinkButton to={home}>{user ? "Back to settings" : "Log in"}</LinkButton>
      </Panel>
    );
  }
  if (outcome === "done") {
    return (
      <Panel title="Address confirmed">
        <p role="status" className="text-pretty text-14 text-ink-2">
          Mails about your account go to this address from now on, and you can choose a new password with it.
        </p>
        <LinkButton to={home} variant="primary" className="mt-5">
          {user ? "Back to settings" : "Log in"}
        </LinkButton>
      </Panel>
    );
  }
  return (
    <Panel title="One more click">
      <p className="text-pretty text-14 text-ink-2">
        Confirm that you have asked to use this e-mail address for your account at Glasshouse.
      </p>
      <Button variant="primary" className="mt-5" loading={isBusy} onClick={() => void confirm()}>
        Confirm address
      </Button>
    </Panel>
  );
}
