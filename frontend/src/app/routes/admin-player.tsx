import { PlayerPage } from "@/features/admin";
import { useParams } from "@/lib/address";
import { AdministratorsOnly } from "./administrators-only";

export default function AdminPlayerPage() {
  const { playerId = "" } = useParams();
  return (
    <AdministratorsOnly>
      <PlayerPage key={playerId} playerId={playerId} />
    </AdministratorsOnly>
  );
}
