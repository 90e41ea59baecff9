import { useUser } from "@/api/session";
import { PageHeader } from "@/components";
import { ResponsibleGamingView } from "@/features/responsible-gaming";
import { PageFrame } from "./page-frame";

export default function ResponsibleGamingPage() {
  const isSignedIn = useUser() !== null;
  return (
    <PageFrame>
      <PageHeader
        title="Responsible Gaming"
        subtitle="How to stay in control of your time and money, what the games cost, and where to find help."
      />
      <ResponsibleGamingView isSignedIn={isSignedIn} />
    </PageFrame>
  );
}
