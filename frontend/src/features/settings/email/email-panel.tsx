import { useState } from "react";
import { errorMessage } from "@/api/client";
import { useUser } from "@/api/session";
import { Badge, Button, ErrorState, Panel, Skeleton, toast } from "@/components";
import { Switch } from "@/components/switch";
import { chooseNotices, type Email, type Notices, useEmail } from "./api";
import { EmailForm } from "./email-form";

/** The player's e-mail address, and which mails go to it. */
export default function EmailPanel() {
  const { email, hasFailed, reload, show } = useEmail();
  if (hasFailed && !email) {
    return (
      <Panel title="E-mail">
        <ErrorState title="Your e-mail address could not be loaded" onRetry={() => void reload()} />
      </Panel>
    );
  }
  if (!email) return <Skeleton className="h-[180px]" />;
  return (
    <>
      <Panel title="E-mail">
        <Address email={email} onChanged={show} />
      </Panel>
      {email.address !== null && (
        <Panel title="Mails">
          <NoticeSwitches notices={email.notices} onChanged={show} />
        </Panel>
      )}
    </>
  );
}

type Editing = "change" | "removal" | null;
type AddressProps = { email: Email; onChanged(email: Email): void };

function Address({ email, onChanged }: AddressProps) {
  const user = useUser();
  const [editing, setEditing] = useState<Editing>(null);
  const { address, pendingAddress } = email;
  const hasAny = address !== null || pendingAddress !== null;
  if (!user) return null;
  return (
    <div className="grid gap-4">
      <div className="grid gap-2 text-14">
        {address !== null && <Line text={address} badge="Confirmed" />}
        {pendingAddress !== null && <Line text={pendingAddress} badge="Waiting for you to open the link" isPending />}
        <p className="max-w-[62ch] text-pretty text-ink-2">
          {address === null
            ? "Optional. With a confirmed address you can choose a new password if you forget yours, and you are told of sign-ins from new devices and of changes to your account."
            : "You can choose a new password with it, and you are told there of what concerns the security of your account."}
        </p>
      </div>
      {editing === null ? (
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => setEditing("change")}>{hasAny ? "Change address" : "Add address"}</Button>
          {hasAny && <Button onClick={() => setEditing("removal")}>Remove address</Button>}
        </div>
      ) : (
        <EmailForm
          isRemoval={editing === "removal"}
          username={user.username}
          onCancel={() => setEditing(null)}
          onDone={(changed) => {
            setEditing(null);
            onChanged(changed);
          }}
        />
      )}
    </div>
  );
}

function Line({ text, badge, isPending = false }: { text: string; badge: string; isPending?: boolean }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="text-16 font-semibold [overflow-wrap:anywhere]">{text}</span>
      {isPending ? <Badge tone="notice">{badge}</Badge> : <Badge>{badge}</Badge>}
    </p>
  );
}

type NoticeSwitchesProps = { notices: Notices; onChanged(email: Email): void };

/** The mails that the player can do without. */
function NoticeSwitches({ notices, onChanged }: NoticeSwitchesProps) {
  const [wanted, setWanted] = useState<Notices | null>(null);
  const shown = wanted ?? notices;
  async function choose(next: Notices) {
    setWanted(next);
    try {
      onChanged(await chooseNotices(next));
    } catch (error) {
      toast({ title: "Error", description: errorMessage(error, "Something went wrong"), variant: "destructive" });
    }
    setWanted(null);
  }
  const isLocked = wanted !== null;
  return (
    <div className="grid max-w-[520px] gap-1">
      <Switch
        label="Withdrawals that were approved or rejected"
        checked={shown.withdrawals}
        isLocked={isLocked}
        onCheckedChange={(withdrawals) => void choose({ ...shown, withdrawals })}
      />
      <Switch
        label="Sessions that were ended from another device"
        checked={shown.sessions}
        isLocked={isLocked}
        onCheckedChange={(sessions) => void choose({ ...shown, sessions })}
      />
      <p className="text-pretty text-13 text-ink-3">
        Mails about new devices, your password, your second factor, your address and requested withdrawals are always
        sent.
      </p>
    </div>
  );
}
