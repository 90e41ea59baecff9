import { useSession } from "@/api/session";
import type { CurrentUser } from "@/api/types";
import { Button, PageHeader, Toaster } from "@/components";
import { ChangePassword } from "@/features/settings";
import { StepUpHost } from "../step-up-host";
import { useLogOut } from "../use-log-out";
import { PageFrame } from "./page-frame";

/** All that somebody with a one-time password sees: the house knows that password, so it is good for nothing else. */
export default function ChoosePasswordPage() {
  const { user, setUser, refresh } = useSession();
  const logOut = useLogOut();
  if (!user) return null;
  /** The house has accepted the password: the page must not stay, even if the user cannot be fetched now. */
  async function goOn(chooser: CurrentUser) {
    await setUser({ ...chooser, mustChangePassword: false });
    await refresh();
  }
  return (
    <main id="content" className="main mx-auto w-full max-w-[560px] lg:pt-10">
      <PageFrame>
        <p className="display text-20 font-bold">Glasshouse</p>
        <PageHeader
          title="Choose a Password"
          subtitle={`You signed in as ${user.username} with a one-time password. Choose one of your own to go on.`}
        />
        <ChangePassword username={user.username} currentLabel="One-time password" onChanged={() => void goOn(user)} />
        <Button className="justify-self-start" onClick={() => void logOut()}>
          Log out
        </Button>
      </PageFrame>
      <StepUpHost />
      <Toaster />
    </main>
  );
}
