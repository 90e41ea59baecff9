import { useState } from "react";
import { api, byCode, refusalMessage } from "@/api/client";
import { useQuery } from "@/api/hooks";
import { useSession } from "@/api/session";
import { Button, Panel, toast } from "@/components";
import { Checkbox } from "@/components/checkbox";
import { formatDateTime } from "@/lib/format";
import { useSingleSubmit } from "@/lib/use-single-submit";

type AcceptanceProps = { version: number; onChanged(): void };

/** When the player accepted the terms, or the form in which the player does. */
export function Acceptance({ version, onChanged }: AcceptanceProps) {
  const { user } = useSession();
  const { data: accepted, mutate } = useQuery("/api/user/accepted-terms");
  if (user?.mustAcceptTerms) {
    return <AcceptanceForm version={version} onAccepted={() => void mutate()} onChanged={onChanged} />;
  }
  const acceptance = accepted?.find((each) => each.version === version);
  if (!acceptance) return null;
  return (
    <Panel>
      <p className="text-14 text-ink-2">You accepted this version on {formatDateTime(acceptance.acceptedAt)}.</p>
    </Panel>
  );
}

type FormProps = AcceptanceProps & { onAccepted(): void };

function AcceptanceForm({ version, onAccepted, onChanged }: FormProps) {
  const { refresh } = useSession();
  const [isChecked, setChecked] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const [isSending, setSending] = useState(false);
  const onSubmit = useSingleSubmit(async () => {
    if (!isChecked) {
      setMissing(true);
      return;
    }
    setSending(true);
    try {
      await api.POST("/api/user/accepted-terms", { body: { version } });
      await refresh();
      onAccepted();
      toast({ title: "Terms Accepted", description: "You can bet and deposit again." });
    } catch (error) {
      toast({
        title: "Terms Not Accepted",
        description: refusalMessage(error, "Something went wrong"),
        variant: "destructive",
      });
      if (byCode({ terms_changed: true }, error)) onChanged();
    } finally {
      setSending(false);
    }
  });
  return (
    <Panel title="Your acceptance">
      <form onSubmit={onSubmit} noValidate className="grid gap-4">
        <p className="max-w-[62ch] text-pretty text-14 text-ink-2">
          You can bet and deposit once you have accepted this version. Rounds in play can be finished and your money can
          be withdrawn without it.
        </p>
        <Checkbox
          checked={isChecked}
          onCheckedChange={(checked) => {
            setChecked(checked);
            setMissing(false);
          }}
          error={isMissing ? "Please agree first" : undefined}
        >
          I am over 18 and agree to the Terms of Service and Privacy Policy
        </Checkbox>
        <div>
          <Button type="submit" variant="primary" loading={isSending}>
            Accept
          </Button>
        </div>
      </form>
    </Panel>
  );
}
