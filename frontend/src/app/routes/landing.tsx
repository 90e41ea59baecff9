import { Suspense } from "react";
import { useUser } from "@/api/session";
import { PageTitle, Skeleton } from "@/components";
import { Landing } from "@/features/landing";
import { useSignUp } from "@/features/us-restriction";
import { lazyPart } from "@/lib/lazy-part";

const DemonstrationDice = lazyPart(() =>
  import("@/games/dice/demonstration").then((module) => ({ default: module.DemonstrationDice })),
);

export default function LandingPage() {
  const signUp = useSignUp();
  const isSignedIn = useUser() !== null;
  const demonstration = (
    <Suspense fallback={<Skeleton className="h-[538px] max-[23.5rem]:h-[586px] lg:h-[530px]" />}>
      <DemonstrationDice />
    </Suspense>
  );
  return (
    <>
      <PageTitle title="The casino you can see through" />
      <Landing isSignedIn={isSignedIn} onSignUp={signUp} demonstration={demonstration} />
    </>
  );
}
