import { Suspense } from "react";
import { useUser } from "@/api/session";
import { Skeleton } from "@/components";
import { Landing } from "@/features/landing";
import { useSignUp } from "@/features/us-restriction";
import { lazyPart } from "@/lib/lazy-part";
import { usePageTitle } from "@/lib/page-title";

const DemonstrationDice = lazyPart(() => import("@/games/dice/demonstration").then((module) => ({ default: module.DemonstrationDice })));

export default function LandingPage() {
  usePageTitle("The casino you can see through");
  const signUp = useSignUp();
  const isSignedIn = useUser() !== null;
  const demonstration = (
    <Suspense fallback={<Skeleton className="h-[480px]" />}>
      <DemonstrationDice />
    </Suspense>
  );
  return <Landing isSignedIn={isSignedIn} onSignUp={signUp} demonstration={demonstration} />;
}
