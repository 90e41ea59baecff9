import { useSession } from "@/api/session";
import { Button, PageHeader, Toaster } from "@/components";
import { FirstSecondFactor } from "@/features/settings";
import { StepUpHost } from "../step-up-host";
import { useLogOut } from "../use-log-out";
import { PageFrame } from "./page-frame";

/** All that an administrator without a second factor sees. */
export default function EnrolPage() {
  const { user, refresh } = useSession();
  const logOut = useLogOut();
  if (!user) return null;
  return (
    <main id="content" className="main mx-auto w-full max-w-[560px] lg:pt-10">
      <PageFrame>
        <p className="display text-20 font-bold">Glasshouse</p>
        <PageHeader
          title="Set Up a Second Factor"
          subtitle={`You signed in as ${user.username}. Administrators can move money, so they need a second factor.`}
        />
        <FirstSecondFactor onDone={() => void refresh()} />
        <Button className="justify-self-start" onClick={() => void logOut()}>
          Log out
        </Button>
      </PageFrame>
      <StepUpHost />
      <Toaster />
    </main>
  );
}
