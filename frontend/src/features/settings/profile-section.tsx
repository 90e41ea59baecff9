import { Suspense } from "react";
import { ROLE_NAMES } from "@/api/role-names";
import { useUser } from "@/api/session";
import { LinkButton, Panel, Skeleton, Stat } from "@/components";
import { formatDate } from "@/lib/format";
import { lazyPart } from "@/lib/lazy-part";

const EmailPanel = lazyPart(() => import("./email/email-panel"));

/** Who is signed in, and the e-mail address. */
export function ProfileSection() {
  return (
    <>
      <ProfilePanel />
      <Suspense fallback={<Skeleton className="h-[180px]" />}>
        <EmailPanel />
      </Suspense>
    </>
  );
}

function ProfilePanel() {
  const user = useUser();
  // The page is for players only.
  if (!user) return null;
  return (
    <Panel title="Profile">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-8 gap-y-5 md:grid-cols-3 md:gap-x-6">
        <Stat
          label="Username"
          value={user.username}
          hint={user.showsName ? "Shown next to your bets" : "Hidden from other players"}
          className="max-md:col-span-2"
        />
        <Stat label="Account ID" value={user.id} />
        <Stat label="Member since" value={formatDate(user.createdAt)} />
        {user.isAdmin && <Stat label="Role" value="Administrator" hint={ROLE_NAMES[user.role]} />}
      </dl>
      <div className="mt-6 flex flex-wrap gap-3 border-t border-line pt-5">
        <LinkButton to="/statistics">Statistics</LinkButton>
        <LinkButton to="/history">Game History</LinkButton>
        <LinkButton to="/dashboard?tab=account">Wallet</LinkButton>
        {user.isAdmin && <LinkButton to="/admin">Admin Panel</LinkButton>}
      </div>
    </Panel>
  );
}
