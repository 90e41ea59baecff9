import { useUser } from "@/api/session";
import { PageTitle } from "@/components";
import { AccessDenied, PlayerPage } from "@/features/admin";
import { useParams } from "@/lib/address";
import { PageFrame } from "./page-frame";

export default function AdminPlayerPage() {
  const { playerId = "" } = useParams();
  if (useUser()?.isAdmin === true) return <PlayerPage key={playerId} playerId={playerId} />;
  return (
    <PageFrame>
      <PageTitle title="Admin Panel" />
      <AccessDenied />
    </PageFrame>
  );
}
