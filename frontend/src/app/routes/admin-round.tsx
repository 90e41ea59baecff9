import { useUser } from "@/api/session";
import { PageTitle } from "@/components";
import { AccessDenied, RoundPage } from "@/features/admin";
import { useParams } from "@/lib/address";
import { PageFrame } from "./page-frame";

export default function AdminRoundPage() {
  const { roundId = "" } = useParams();
  if (useUser()?.isAdmin === true) return <RoundPage key={roundId} roundId={roundId} />;
  return (
    <PageFrame>
      <PageTitle title="Admin Panel" />
      <AccessDenied />
    </PageFrame>
  );
}
